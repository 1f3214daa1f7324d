#include <gtest/gtest.h>

#include "formats/parse.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

testing::AssertionResult refused(std::uint32_t version, Errc code, std::initializer_list<std::string_view> parts) {
  return fails_with([&] { (void)parse_gguf(gguf_start(0, 0, version)); }, code, parts);
}

TEST(GgufVersion, TheFirstIsRefused) {
  EXPECT_TRUE(refused(1, Errc::unsupported_version, {"GGUF version 1 is not supported", "convert the model again"}));
}

TEST(GgufVersion, LaterOnesAreRefused) {
  EXPECT_TRUE(refused(4, Errc::unsupported_version, {"GGUF version 4", "version 2 or 3"}));
  EXPECT_TRUE(refused(0, Errc::unsupported_version, {"GGUF version 0"}));
}

TEST(GgufVersion, BigEndianFilesAreRefused) {
  EXPECT_TRUE(refused(0x03000000, Errc::big_endian, {"big-endian", "0x03000000", "little-endian file"}));
}

TEST(GgufVersion, AnotherMagicIsNoGguf) {
  EXPECT_TRUE(fails_with([] { (void)parse_gguf("GGUX" + std::string(20, '\0')); }, Errc::not_a_checkpoint,
                         {"not a GGUF file"}));
}

}  // namespace
}  // namespace ballast::test
