// Which rule claims a source name: an exact name before a list pattern before a leading path.
#include <gtest/gtest.h>

#include "mapping/schemas.hpp"

namespace ballast::test {
namespace {

ContainerSchema schema() {
  return layer({weight("exact"), experts("moe"), weight("path")}, {{"mlp.experts.0.up.weight", {"exact.params"}},
                                                                   {"mlp.experts.*.up.weight", {"moe.experts"}},
                                                                   {"*.up.weight", {"path.params"}}});
}

// The rule that claims a name; -1 where none does.
int rule_for(const ContainerSchema& schema, std::string_view source) {
  bool ambiguous = true;
  const auto one = schema.match_one(source, &ambiguous);
  EXPECT_FALSE(ambiguous);
  EXPECT_EQ(schema.match(source).size(), one ? 1U : 0U);
  return one ? static_cast<int>(one->rule) : -1;
}

TEST(Matching, ExactNameBeforeListBeforeLeadingPath) {
  const ContainerSchema s = schema();
  EXPECT_EQ(rule_for(s, "mlp.experts.0.up.weight"), 0);
  EXPECT_EQ(rule_for(s, "mlp.experts.1.up.weight"), 1);
  EXPECT_EQ(rule_for(s, "mlp.shared.up.weight"), 2);
}

TEST(Matching, TakesWholeNames) {
  const ContainerSchema s = layer({weight("norm")}, {{"norm.weight", {"norm.params"}}});
  EXPECT_EQ(rule_for(s, "norm.weight"), 0);
  for (const char* source : {"norm.weight.x", "x.norm.weight", "norm.weights", "norm", "norm.", ".norm.weight", ""})
    EXPECT_EQ(rule_for(s, source), -1) << source;
}

TEST(Matching, DotsAreLiteral) {
  const ContainerSchema s = layer({weight("a"), experts("moe")}, {{"n.w", {"a.params"}}, {"e.*.w", {"moe.experts"}}});
  EXPECT_EQ(rule_for(s, "n_w"), -1);
  EXPECT_EQ(rule_for(s, "e.0_w"), -1);
  EXPECT_EQ(rule_for(s, "e_0.w"), -1);
}

TEST(Matching, ListWildcardIsOneSegmentAndIsHandedOut) {
  const ContainerSchema s = layer({experts("moe")}, {{"experts.*.up", {"moe.experts"}}});
  const auto match = s.match_one("experts.17.up");
  ASSERT_TRUE(match);
  EXPECT_EQ(match->index, "17");
  EXPECT_EQ(s.match_one("experts.x.up")->index, "x") << "whether it is an index is judged where it is bound";
  EXPECT_EQ(rule_for(s, "experts.1.2.up"), -1);
  EXPECT_EQ(rule_for(s, "experts..up"), -1);
  EXPECT_EQ(rule_for(s, "experts.up"), -1);
}

TEST(Matching, ListWildcardAtEitherEnd) {
  const ContainerSchema first = layer({experts("moe")}, {{"*.up", {"moe.experts"}}});
  EXPECT_EQ(first.match_one("3.up")->index, "3");
  EXPECT_EQ(rule_for(first, "a.3.up"), -1);
  const ContainerSchema last = layer({experts("moe")}, {{"up.*", {"moe.experts"}}});
  EXPECT_EQ(last.match_one("up.3")->index, "3");
  EXPECT_EQ(rule_for(last, "up.3.x"), -1);
}

TEST(Matching, LeadingPathIsOneOrMoreSegments) {
  const ContainerSchema s = layer({weight("norm")}, {{"*.norm.weight", {"norm.params"}}});
  EXPECT_EQ(rule_for(s, "model.norm.weight"), 0);
  EXPECT_EQ(rule_for(s, "a.b.c.norm.weight"), 0);
  EXPECT_EQ(rule_for(s, "norm.weight"), -1);
  EXPECT_EQ(rule_for(s, ".norm.weight"), -1);
  EXPECT_EQ(rule_for(s, "model.layernorm.weight"), -1);
  EXPECT_FALSE(s.match_one("model.norm.weight")->index);
}

TEST(Matching, TellsWhichAlternativeMatched) {
  const ContainerSchema s("layer", {experts("moe")}, {MappingRule{{"e.*.up", "x.*.w1"}, {{"moe", "experts"}}, {}}});
  EXPECT_EQ(s.match_one("e.0.up")->alternative, 0U);
  EXPECT_EQ(s.match_one("x.0.w1")->alternative, 1U);
}

TEST(Matching, ListPatternsAreListed) {
  const ContainerSchema s =
      layer({experts("a"), weight("n"), experts("b")},
            {{"experts.*.up", {"a.experts"}}, {"*.norm", {"n.params"}}, {"experts.*.down", {"b.experts"}}});
  EXPECT_EQ(s.list_patterns(), (std::vector<std::string>{"experts.*.up", "experts.*.down"}));
}

}  // namespace
}  // namespace ballast::test
