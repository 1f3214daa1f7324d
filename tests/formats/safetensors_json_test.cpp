#include <gtest/gtest.h>

#include "formats/parse.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

testing::AssertionResult refused(std::string_view json, Errc code, std::initializer_list<std::string_view> parts) {
  return fails_with([&] { (void)parse_safetensors(json, 0); }, code, parts);
}

TEST(SafetensorsJson, MustBeJson) {
  EXPECT_TRUE(refused("{", Errc::header_invalid_json, {"not valid JSON", "m.safetensors"}));
  EXPECT_TRUE(refused("{} x", Errc::header_invalid_json, {"not valid JSON"}));
  EXPECT_TRUE(refused("{}{}", Errc::header_invalid_json, {"not valid JSON"}));
  EXPECT_TRUE(refused(std::string_view("{}\0", 3), Errc::header_invalid_json, {"not valid JSON"}));
  EXPECT_TRUE(refused(R"({"a":})", Errc::header_invalid_json, {"not valid JSON"}));
  EXPECT_TRUE(refused(R"({"\ud800":1})", Errc::header_invalid_json, {"not valid JSON"}));
}

TEST(SafetensorsJson, MustBeginWithABrace) {
  EXPECT_TRUE(refused("", Errc::header_invalid_json, {"does not begin with '{'", "an empty header"}));
  EXPECT_TRUE(refused(" {}", Errc::header_invalid_json, {"does not begin with '{'", "\" {}\""}));
  EXPECT_TRUE(refused("[]", Errc::header_invalid_json, {"does not begin with '{'"}));
}

TEST(SafetensorsJson, MustBeUtf8) {
  EXPECT_TRUE(refused("{\"\xFF\":1}", Errc::header_invalid_utf8, {"not valid UTF-8", "0xff", "at byte 10"}));
}

TEST(SafetensorsJson, NumbersMustFit64Bits) {
  EXPECT_TRUE(refused("{" + entry("a", "U8", "[18446744073709551616]", "[0,1]") + "}", Errc::header_invalid_json,
                      {"beyond 64 bits"}));
}

TEST(SafetensorsJson, DeepNestingIsRefusedNotFollowed) {
  const std::string deep = "{\"a\":" + std::string(100000, '[') + std::string(100000, ']') + "}";
  EXPECT_TRUE(refused(deep, Errc::header_invalid_json, {}));
}

}  // namespace
}  // namespace ballast::test
