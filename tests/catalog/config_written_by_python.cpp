#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "ballast/model_config.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

ModelConfig parse(std::string_view json) { return parse_model_config(json, "config.json"); }

TEST(ConfigWrittenByPython, NanAndInfinityCountAsAbsent) {
  const ModelConfig config = parse(
      R"({"a": NaN, "b": [Infinity, -Infinity, 1], "hidden_size": Infinity, "n_embd": 7, "c": "NaN \" -Infinity"})");
  ASSERT_NE(config.find("a"), nullptr);
  EXPECT_TRUE(config.find("a")->is_null());
  EXPECT_EQ(config.find("b")->array()->size(), 3U);
  EXPECT_EQ(config.model_dim, 7U);
  EXPECT_EQ(*config.find("c")->string(), "NaN \" -Infinity");
}

TEST(ConfigWrittenByPython, IntegersOfAnyLength) {
  const ModelConfig config = parse(
      R"({"a": 1000000000000000019884624838656, "b": -9223372036854775809,
          "c": 18446744073709551615, "d": 9223372036854775807})");
  EXPECT_DOUBLE_EQ(config.find("a")->number().value(), 1e30);
  EXPECT_DOUBLE_EQ(config.find("b")->number().value(), -9223372036854775809.0);
  EXPECT_EQ(config.number("c"), 18446744073709551615U);
  EXPECT_EQ(config.number("d"), 9223372036854775807U);
}

TEST(ConfigWrittenByPython, OfTwoMembersWithOneKeyTheLastCounts) {
  const ModelConfig config = parse(R"({"hidden_size": 1, "x": 0, "hidden_size": 2})");
  EXPECT_EQ(config.model_dim, 2U);
  EXPECT_EQ(config.document.object()->size(), 2U);
  EXPECT_EQ(config.document.object()->front().first, "hidden_size");
}

TEST(ConfigWrittenByPython, NothingElseIsTolerated) {
  for (const char* json : {"{\"a\": nan}", "{\"a\": NaNa}", "{\"a\": 1NaN}", "{\"a\": -NaN}", "{\"a\": +Infinity}",
                           "{\"a\": xNaN}", "{\"a\": Inf}", "{NaN: 1}", "{\"a\": 00000000000000000000000001}",
                           "{\"a\": --99999999999999999999999}", "{\"a\": 'b'}", "{\"a\": 1,}"})
    EXPECT_TRUE(fails_with([&] { (void)parse(json); }, Errc::config_invalid, {"not valid JSON"})) << json;
}

RC_GTEST_PROP(ConfigWrittenByPython, AnyTextIsReadOrRefused, ()) {
  const auto piece = rc::gen::element<std::string>("{", "}", "[", "]", "\"", "\\", ":", ",", "NaN", "-", "Infinity",
                                                   "99999999999999999999", "1.", "e", "hidden_size", "null", "\xff");
  std::string json;
  for (const std::string& part : *rc::gen::container<std::vector<std::string>>(piece)) json += part;
  try {
    (void)parse(json);
    (void)parse("{\"hidden_size\":" + json + "}");
  } catch (const Error& error) {
    RC_ASSERT(error.code() == Errc::config_invalid);
  }
}

}  // namespace
}  // namespace ballast::test
