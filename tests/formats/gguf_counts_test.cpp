// Counts and lengths that lie: refused before anything is allocated for them.
#include <gtest/gtest.h>

#include "formats/parse.hpp"
#include "support/faults.hpp"
#include "support/gguf_writer.hpp"

namespace ballast::test {
namespace {

constexpr std::uint64_t kHuge = std::uint64_t{1} << 60;

testing::AssertionResult refused(const std::string& file, Errc code, std::initializer_list<std::string_view> parts,
                                 const HeaderLimits& limits = {}) {
  return fails_with([&] { (void)parse_gguf_header(file, file.size(), "m.gguf", limits); }, code, parts);
}

std::string array_of(std::uint32_t type, std::uint64_t count) {
  return GgufWriter{}.raw("k", GgufWriter::kArray, bytes_of(type) + bytes_of(count)).bytes();
}

TEST(GgufCounts, OfTensors) {
  EXPECT_TRUE(refused(gguf_start(kHuge, 0), Errc::limit_exceeded,
                      {"more tensors than the file can hold", "1152921504606846976", "at most 0"}));
}

TEST(GgufCounts, OfMetadataKeys) {
  EXPECT_TRUE(refused(gguf_start(0, kHuge), Errc::limit_exceeded, {"more metadata keys than the file can hold"}));
}

TEST(GgufCounts, OfArrayElementsOfEveryType) {
  for (std::uint32_t type = 0; type < 13; ++type)
    for (const std::uint64_t count : {std::uint64_t{100}, kHuge, ~std::uint64_t{0}})
      EXPECT_TRUE(refused(array_of(type, count), Errc::limit_exceeded, {"more array elements than the file can hold"}));
}

TEST(GgufCounts, LengthsOfStrings) {
  for (const std::uint64_t length : {std::uint64_t{100}, kHuge, ~std::uint64_t{0}}) {
    EXPECT_TRUE(refused(gguf_start(0, 1) + bytes_of(length) + std::string(20, 'x'), Errc::header_truncated,
                        {"the file ends inside its header, in a metadata key"}));
    EXPECT_TRUE(refused(GgufWriter{}.raw("k", GgufWriter::kString, bytes_of(length)).bytes(), Errc::header_truncated,
                        {"in a metadata string"}));
    EXPECT_TRUE(refused(gguf_start(1, 0) + bytes_of(length) + std::string(20, 'x'), Errc::header_truncated,
                        {"in a tensor's name"}));
  }
}

TEST(GgufCounts, OfDimensions) {
  EXPECT_TRUE(refused(gguf_start(1, 0) + gguf_string("a") + bytes_of(std::uint32_t{0xFFFFFFFF}) + std::string(64, 'x'),
                      Errc::rank_too_large, {"tensor \"a\"", "at most 16", "4294967295 dimensions"}));
}

TEST(GgufCounts, WithinTheFileAreStillBoundedByTheLimits) {
  HeaderLimits limits;
  limits.max_gguf_tensors = 1;
  const std::string tensors = GgufWriter{}.tensor("a", DType::F32, {1}).tensor("b", DType::F32, {1}).bytes();
  EXPECT_TRUE(refused(tensors, Errc::limit_exceeded, {"more tensors than the limit", "max_gguf_tensors"}, limits));

  limits = {};
  limits.max_gguf_metadata_values = 4;
  const std::string fits = GgufWriter{}.u32s("k", {1, 2, 3}).bytes();
  EXPECT_NO_THROW((void)parse_gguf_header(fits, fits.size(), "m.gguf", limits));
  EXPECT_TRUE(refused(GgufWriter{}.u32s("k", {1, 2, 3, 4}).bytes(), Errc::limit_exceeded,
                      {"more values than the limit", "max_gguf_metadata_values"}, limits));
}

}  // namespace
}  // namespace ballast::test
