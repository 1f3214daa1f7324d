#include <gtest/gtest.h>

#include "ballast/model_config.hpp"

namespace ballast::test {
namespace {

ModelConfig parse(std::string_view json) { return parse_model_config(json, "config.json"); }

TEST(ConfigDottedPaths, GoIntoObjects) {
  const ModelConfig config = parse(R"({"a": {"b": {"c": 5, "d": "x", "e": -1}}, "f": 6})");
  EXPECT_EQ(config.number("a.b.c"), 5U);
  EXPECT_EQ(config.number("f"), 6U);
  EXPECT_EQ(*config.find("a.b.d")->string(), "x");
  EXPECT_EQ(config.number("a.b.d"), std::nullopt);
  EXPECT_EQ(config.number("a.b.e"), std::nullopt);
  for (const char* absent : {"", ".", "a.", ".a", "a.b.x", "f.g", "a..b", "b"}) EXPECT_EQ(config.find(absent), nullptr);
}

TEST(ConfigDottedPaths, FindKeysThatHaveDotsInThem) {
  const ModelConfig config = parse(R"({"a.b": 1, "a": {"b": 2, "c.d": 3}, "x.y": {"z": 4}})");
  EXPECT_EQ(config.number("a.b"), 1U);
  EXPECT_EQ(config.number("a.c.d"), 3U);
  EXPECT_EQ(config.number("x.y.z"), 4U);
}

}  // namespace
}  // namespace ballast::test
