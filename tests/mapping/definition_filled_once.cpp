// D2: every dependency is filled by exactly one rule, or is optional.
#include <gtest/gtest.h>

#include "mapping/schemas.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(DefinitionFilledOnce, EveryUnmappedDependencyIsListed) {
  const auto error = error_of([] {
    (void)layer({qkv("qkv_w"), weight("norm"), weight("mlp")}, {{"q", {"qkv_w.q_params"}}, {"n", {"norm.params"}}});
  });
  EXPECT_TRUE(has_fault(error, Errc::dependency_unmapped, {"no rule fills 'qkv_w.k_params'", "exactly one rule"}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_unmapped, {"no rule fills 'qkv_w.v_params'"}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_unmapped, {"no rule fills 'mlp.params'"}));
  EXPECT_EQ(error->total(), 3U);
  EXPECT_EQ(error->diagnostics()[0].container, "layer");
  EXPECT_EQ(error->diagnostics()[0].parameter, "qkv_w");
  EXPECT_EQ(error->diagnostics()[0].dependency, "k_params");
}

TEST(DefinitionFilledOnce, ListsNeedARuleToo) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)layer({experts("moe"), weight("norm")}, {{"n", {"norm.params"}}});
      },
      Errc::dependency_unmapped, {"'moe.experts'"}));
}

TEST(DefinitionFilledOnce, OptionalDependenciesNeedNone) {
  const ContainerSchema schema =
      layer({parameter("qkv_b", {single("q"), optional("scale")})}, {{"q.bias", {"qkv_b.q"}}});
  EXPECT_FALSE(schema.rule_of(0, 1));
}

TEST(DefinitionFilledOnce, OptionalDependenciesMayHaveOne) {
  const ContainerSchema schema = layer({parameter("qkv_b", {optional("q")})}, {{"q.bias", {"qkv_b.q"}}});
  EXPECT_EQ(schema.rule_of(0, 0), 0U);
}

TEST(DefinitionFilledOnce, SecondRuleIsNamedWithTheFirst) {
  const auto error = error_of([] {
    (void)layer({weight("norm")}, {{"norm.weight", {"norm.params"}}, {"ln.weight", {"norm.params"}}});
  });
  EXPECT_TRUE(has_fault(error, Errc::dependency_mapped_twice,
                        {"'norm.params'", "the rules for 'norm.weight' and 'ln.weight'", "ordered alternatives"}));
  EXPECT_EQ(error->total(), 1U);
}

TEST(DefinitionFilledOnce, EveryFurtherRuleIsNamed) {
  const auto error = error_of([] {
    (void)layer({weight("norm")}, {{"a", {"norm.params"}}, {"b", {"norm.params"}}, {"c", {"norm.params"}}});
  });
  EXPECT_EQ(count_faults(error, Errc::dependency_mapped_twice), 2U);
}

TEST(DefinitionFilledOnce, OptionalDependenciesAreFilledOnceToo) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)layer({parameter("b", {optional("q")})}, {{"x", {"b.q"}}, {"y", {"b.q"}}});
      },
      Errc::dependency_mapped_twice));
}

TEST(DefinitionFilledOnce, OneRuleMayNotFillADependencyTwice) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)layer({weight("norm")}, {{"w", {"norm.params", "norm.params"}}});
      },
      Errc::dependency_mapped_twice));
}

TEST(DefinitionFilledOnce, AlternativesOfOneRuleAreOneRule) {
  const ContainerSchema schema("layer", {weight("norm")},
                               {MappingRule{{"norm.weight", "norm.gamma"}, {{"norm", "params"}}, {}}});
  const auto first = schema.match_one("norm.weight"), second = schema.match_one("norm.gamma");
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->rule, second->rule);
  EXPECT_EQ(first->alternative, 0U);
  EXPECT_EQ(second->alternative, 1U);
}

}  // namespace
}  // namespace ballast::test
