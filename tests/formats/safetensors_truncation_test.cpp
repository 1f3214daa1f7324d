#include <gtest/gtest.h>

#include "formats/parse.hpp"
#include "support/faults.hpp"
#include "support/safetensors_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

testing::AssertionResult refused(const std::string& contents, Errc code, std::initializer_list<std::string_view> parts,
                                 const HeaderLimits& limits = {}) {
  const TempFolder folder;
  const InputFile file(folder.write("m.safetensors", contents));
  return fails_with([&] { (void)read_header(file, limits); }, code, parts);
}

TEST(SafetensorsTruncation, AtEveryByteIsReportedAsSuch) {
  const std::string whole =
      SafetensorsWriter{}.tensor("a", DType::F32, {2}).tensor("b", DType::U8, {3}).metadata("format", "pt").bytes();
  const std::size_t header_end = whole.size() - 11;
  for (std::size_t size = 1; size < whole.size(); ++size)
    EXPECT_TRUE(refused(whole.substr(0, size), size < header_end ? Errc::header_truncated : Errc::extent_out_of_file,
                        {"incomplete download?", "m.safetensors"}))
        << size;
  EXPECT_TRUE(refused(whole + "x", Errc::trailing_bytes, {}));
}

TEST(SafetensorsTruncation, UnderEightBytes) {
  EXPECT_TRUE(refused("\x01", Errc::header_truncated, {"too short to hold a header", "1 bytes"}));
  EXPECT_TRUE(refused(bytes_of(std::uint64_t{2}), Errc::header_truncated, {"2 bytes are missing"}));
}

TEST(SafetensorsTruncation, AHeaderLongerThanTheFileSaysHowMuchIsMissing) {
  EXPECT_TRUE(refused(bytes_of(std::uint64_t{1000}) + "{}", Errc::header_truncated,
                      {"at least 1008 bytes", "10 bytes", "998 bytes are missing"}));
}

TEST(SafetensorsTruncation, AHeaderShorterThanItsJson) {
  EXPECT_TRUE(refused(bytes_of(std::uint64_t{1}) + "{}", Errc::header_invalid_json, {"not valid JSON"}));
  EXPECT_TRUE(refused(bytes_of(std::uint64_t{0}) + "{}", Errc::header_invalid_json, {"an empty header"}));
}

TEST(SafetensorsTruncation, TheLimitIsTheReferences) {
  EXPECT_TRUE(refused(bytes_of(std::uint64_t{100'000'001}) + "{}", Errc::header_too_large,
                      {"larger than the limit", "at most 100000000 bytes", "100000001 bytes"}));
  EXPECT_TRUE(refused(bytes_of(std::uint64_t{100'000'000}) + "{}", Errc::header_truncated, {}));
}

TEST(SafetensorsTruncation, TheLimitCanBeSet) {
  HeaderLimits limits;
  limits.max_safetensors_header_bytes = 1;
  EXPECT_TRUE(refused(safetensors_bytes("{}", ""), Errc::header_too_large, {"max_safetensors_header_bytes"}, limits));
  limits.max_safetensors_header_bytes = 2;
  const TempFolder folder;
  EXPECT_NO_THROW((void)read_header(InputFile(folder.write("m", safetensors_bytes("{}", ""))), limits));
}

TEST(SafetensorsTruncation, AParserGivenTooSmallAFileSaysSo) {
  EXPECT_TRUE(fails_with([] { (void)parse_safetensors_header("{}", 9, "m"); }, Errc::header_truncated,
                         {"1 bytes are missing"}));
}

}  // namespace
}  // namespace ballast::test
