#include <gtest/gtest.h>

#include <limits>

#include "formats/parse.hpp"
#include "support/faults.hpp"
#include "support/gguf_writer.hpp"

namespace ballast::test {
namespace {

using Writer = GgufWriter;

testing::AssertionResult refused(const Writer& writer, Errc code, std::initializer_list<std::string_view> parts) {
  return fails_with([&] { (void)parse_gguf(writer.bytes()); }, code, parts);
}

// `depth` arrays within each other, the innermost holding one byte.
std::string nested_array(int depth) {
  std::string bytes;
  for (int i = 1; i < depth; ++i) bytes += bytes_of(std::uint32_t{Writer::kArray}) + bytes_of(std::uint64_t{1});
  return bytes + bytes_of(std::uint32_t{Writer::kU8}) + bytes_of(std::uint64_t{1}) + "\x07";
}

TEST(GgufMetadata, IntegersAreKeptExactly) {
  const FileHeader header = parse_gguf(Writer{}
                                           .u64("large", std::numeric_limits<std::uint64_t>::max())
                                           .u64("small", 5)
                                           .i32("negative", -5)
                                           .f32("real", 0.5F)
                                           .boolean("flag", true)
                                           .bytes());
  EXPECT_EQ(std::get<std::uint64_t>(header.metadata.find("large")->storage()),
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(std::get<std::int64_t>(header.metadata.find("small")->storage()), 5);
  EXPECT_EQ(std::get<std::int64_t>(header.metadata.find("negative")->storage()), -5);
  EXPECT_EQ(header.metadata.find("real")->number(), 0.5);
  EXPECT_EQ(header.metadata.find("flag")->boolean(), true);
}

TEST(GgufMetadata, ArraysNestToABound) {
  const FileHeader header = parse_gguf(Writer{}.raw("k", Writer::kArray, nested_array(8)).bytes());
  const Value* value = header.metadata.find("k");
  for (int i = 0; i < 8; ++i) {
    ASSERT_NE(value->array(), nullptr);
    value = &value->array()->front();
  }
  EXPECT_EQ(value->unsigned_integer(), 7U);
  EXPECT_TRUE(refused(Writer{}.raw("k", Writer::kArray, nested_array(9)), Errc::header_invalid,
                      {"\"k\" nests arrays too deeply", "at most 8"}));
}

TEST(GgufMetadata, AKeyTwice) {
  EXPECT_TRUE(refused(Writer{}.u32("k", 1).u32("k", 2), Errc::duplicate_key, {"\"k\" is there twice", "m.gguf"}));
}

TEST(GgufMetadata, AnUnknownType) {
  EXPECT_TRUE(refused(Writer{}.raw("k", 13, "x"), Errc::header_invalid, {"\"k\" has an unknown type", "type 13"}));
  const std::string array = bytes_of(std::uint32_t{14}) + bytes_of(std::uint64_t{0});
  EXPECT_TRUE(refused(Writer{}.raw("k", Writer::kArray, array), Errc::header_invalid, {"unknown type", "type 14"}));
}

TEST(GgufMetadata, ABooleanThatIsNone) {
  EXPECT_TRUE(refused(Writer{}.raw("k", Writer::kBool, "\x02"), Errc::header_invalid, {"\"k\" holds no boolean"}));
}

TEST(GgufMetadata, AKeyThatIsNoText) {
  EXPECT_TRUE(refused(Writer{}.u32("k\xFF", 1), Errc::header_invalid_utf8, {"\"k\\xFF\""}));
}

TEST(GgufMetadata, StringsMayHoldAnyBytes) {
  const FileHeader header = parse_gguf(Writer{}.text("token", "\xFF").bytes());
  EXPECT_EQ(*header.metadata.find("token")->string(), "\xFF");
}

TEST(GgufMetadata, AnAlignmentThatIsNoPowerOfTwo) {
  for (const std::uint32_t alignment : {0U, 3U, 24U, 4294967295U})
    EXPECT_TRUE(refused(Writer{}.u32("general.alignment", alignment), Errc::header_invalid,
                        {"not a power of two", std::to_string(alignment)}));
  EXPECT_TRUE(refused(Writer{}.text("general.alignment", "32"), Errc::header_invalid, {"not a power of two"}));
  EXPECT_TRUE(refused(Writer{}.f32("general.alignment", 32), Errc::header_invalid, {"not a power of two"}));
}

}  // namespace
}  // namespace ballast::test
