#include <gtest/gtest.h>

#include "formats/parse.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

constexpr std::uint32_t kF32 = 0;
constexpr std::uint32_t kQ4_0 = 2;

testing::AssertionResult refused(const std::string& file, Errc code, std::initializer_list<std::string_view> parts) {
  const auto error = error_of([&] { (void)parse_gguf(file); });
  if (error && error->total() != 1) return testing::AssertionFailure() << "more than one fault:\n" << error->what();
  return has_fault(error, code, parts);
}

std::string two_tensors(std::uint64_t second_offset, std::uint64_t data_bytes) {
  return gguf_file(gguf_start(2, 0) + gguf_tensor("a", 8, kF32, 0) + gguf_tensor("b", 8, kF32, second_offset),
                   data_bytes);
}

std::string one_tensor(const std::string& tensor, std::uint64_t data_bytes) {
  return gguf_file(gguf_start(1, 0) + tensor, data_bytes);
}

TEST(GgufExtents, Overlap) {
  EXPECT_TRUE(refused(two_tensors(0, 32), Errc::extent_overlap, {"tensor \"b\"", "byte 32 of the data", "\"a\" ends"}));
}

TEST(GgufExtents, Misaligned) {
  const std::string padded = gguf_start(2, 0) + gguf_tensor("a", 1, kF32, 0) + gguf_tensor("b", 1, kF32, 4);
  EXPECT_TRUE(refused(gguf_file(padded, 32), Errc::extent_misaligned, {"tensor \"b\"", "a multiple of 32", "byte 4"}));
}

TEST(GgufExtents, AHoleLargerThanPadding) {
  EXPECT_TRUE(refused(two_tensors(64, 96), Errc::extent_hole,
                      {"32 bytes before the tensor belong to no tensor", "tensor \"b\"", "byte 32 of the data"}));
}

TEST(GgufExtents, BeyondTheFile) {
  EXPECT_TRUE(refused(two_tensors(32, 63), Errc::extent_out_of_file,
                      {"before 1 of its 2 tensors", "tensor \"b\"", "1 bytes are missing: an incomplete download?"}));
  // Even an empty tensor has a place, and this file ends before its data would begin.
  EXPECT_TRUE(
      refused(gguf_start(1, 0) + gguf_tensor("a", 0, kF32, 0), Errc::extent_out_of_file, {"bytes are missing"}));
}

TEST(GgufExtents, BytesAfterTheLastTensor) {
  EXPECT_TRUE(refused(two_tensors(32, 65), Errc::trailing_bytes, {"1 bytes follow the last tensor"}));
}

TEST(GgufExtents, RowsAreWholeBlocks) {
  EXPECT_TRUE(refused(one_tensor(gguf_tensor("a", 33, kQ4_0, 0), 36), Errc::extent_mismatch,
                      {"rows are not whole blocks", "a multiple of 32 elements, for Q4_0", "shape [33]"}));
  // 2 x 16 elements fill a block, but no row does.
  const std::string tensor = gguf_string("a") + bytes_of(std::uint32_t{2}) +
                             bytes_of({std::uint64_t{16}, std::uint64_t{2}}) + bytes_of(kQ4_0) +
                             bytes_of(std::uint64_t{0});
  EXPECT_TRUE(refused(one_tensor(tensor, 18), Errc::extent_mismatch, {"rows are not whole blocks", "[2, 16]"}));
}

TEST(GgufExtents, SizesThatOverflow) {
  EXPECT_TRUE(refused(one_tensor(gguf_tensor("a", ~std::uint64_t{0}, kF32, 0), 32), Errc::shape_overflow,
                      {"tensor \"a\"", "64 bits"}));
}

TEST(GgufExtents, OffsetsAtTheEndOf64Bits) {
  const auto error =
      error_of([] { (void)parse_gguf(one_tensor(gguf_tensor("a", 64, kF32, ~std::uint64_t{0} - 31), 32)); });
  EXPECT_TRUE(has_fault(error, Errc::extent_out_of_file, {"tensor \"a\"", "damaged"}));
}

TEST(GgufExtents, ANameTwice) {
  const std::string header = gguf_start(2, 0) + gguf_tensor("a", 8, kF32, 0) + gguf_tensor("a", 8, kF32, 32);
  EXPECT_TRUE(refused(gguf_file(header, 64), Errc::duplicate_key, {"the name is there twice", "tensor \"a\""}));
}

TEST(GgufExtents, ANameThatIsNoText) {
  EXPECT_TRUE(refused(one_tensor(gguf_tensor("a\xFF", 8, kF32, 0), 32), Errc::header_invalid_utf8, {"a\\xFF"}));
}

TEST(GgufExtents, AllFaultsAreReportedTogether) {
  const std::string header =
      gguf_start(3, 0) + gguf_tensor("a", 8, 99, 0) + gguf_tensor("b", 33, kQ4_0, 0) + gguf_tensor("c", 1, kF32, 7);
  const auto error = error_of([&] { (void)parse_gguf(gguf_file(header, 64)); });
  EXPECT_TRUE(has_fault(error, Errc::unknown_dtype, {"tensor \"a\""}));
  EXPECT_TRUE(has_fault(error, Errc::extent_mismatch, {"tensor \"b\""}));
  EXPECT_TRUE(has_fault(error, Errc::extent_misaligned, {"tensor \"c\""}));
  EXPECT_EQ(error->total(), 3U) << error->what();
}

TEST(GgufExtents, FaultsFoundBeforeTheHeaderBreaksOffAreKept) {
  // The second name claims more than the file holds.
  const std::string header = gguf_start(2, 0) + gguf_tensor("a", 8, 99, 0) + bytes_of(std::uint64_t{1000});
  const auto error = error_of([&] { (void)parse_gguf(header + std::string(40, 'x')); });
  EXPECT_TRUE(has_fault(error, Errc::unknown_dtype, {"tensor \"a\""}));
  EXPECT_TRUE(has_fault(error, Errc::header_truncated, {"in a tensor's name"}));
}

}  // namespace
}  // namespace ballast::test
