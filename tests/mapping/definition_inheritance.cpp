// D6: a container inherits the parameters and rules of its base; its own win; completeness is judged on the whole.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/schemas.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;

MappingRule rule(std::string source, std::vector<MappingTarget> targets) {
  return {{std::move(source)}, std::move(targets), {}};
}

std::vector<std::string> names(const ContainerSchema& schema) {
  std::vector<std::string> all;
  for (const ParameterSchema& parameter : schema.parameters()) all.push_back(parameter.name);
  return all;
}

// Which parameter a source fills; empty where it fills none.
std::string filled_by(const ContainerSchema& schema, std::string_view source) {
  const auto match = schema.match_one(source);
  return match ? schema.rules()[match->rule].targets.front().parameter : "";
}

ContainerSchema base() {
  return layer({weight("norm"), qkv("qkv_w")}, {{"norm.weight", {"norm.params"}},
                                                {"q.weight", {"qkv_w.q_params"}},
                                                {"k.weight", {"qkv_w.k_params"}},
                                                {"v.weight", {"qkv_w.v_params"}}});
}

TEST(DefinitionInheritance, BringsParametersAndRules) {
  const ContainerSchema parent = base();
  const ContainerSchema child("child", {weight("q_norm")}, {rule("q_norm.weight", {{"q_norm", "params"}})}, &parent);
  EXPECT_THAT(names(child), ElementsAre("norm", "qkv_w", "q_norm"));
  EXPECT_EQ(filled_by(child, "norm.weight"), "norm");
  EXPECT_EQ(filled_by(child, "k.weight"), "qkv_w");
  EXPECT_EQ(filled_by(child, "q_norm.weight"), "q_norm");
}

TEST(DefinitionInheritance, WithoutRulesOfItsOwnTakesThoseOfItsBase) {
  const ContainerSchema parent = base();
  const ContainerSchema child("child", {}, {}, &parent);
  EXPECT_TRUE(child.has_mapping());
  EXPECT_EQ(child.rules().size(), 4U);
}

TEST(DefinitionInheritance, RuleOfTheChildForATargetWins) {
  const ContainerSchema parent = base();
  const ContainerSchema child("child", {}, {rule("ln.weight", {{"norm", "params"}})}, &parent);
  EXPECT_EQ(filled_by(child, "ln.weight"), "norm");
  EXPECT_EQ(filled_by(child, "norm.weight"), "");
}

TEST(DefinitionInheritance, RuleOfTheChildForASourceWins) {
  const ContainerSchema parent = layer({weight("a"), weight("b")}, {{"x", {"a.params"}}, {"y", {"b.params"}}});
  const ContainerSchema child("child", {}, {rule("x", {{"b", "params"}}), rule("z", {{"a", "params"}})}, &parent);
  EXPECT_EQ(filled_by(child, "x"), "b");
  EXPECT_EQ(filled_by(child, "y"), "");
  EXPECT_EQ(filled_by(child, "z"), "a");
}

TEST(DefinitionInheritance, InheritedRuleKeepsTheTargetsThatTheChildDoesNotTake) {
  const ContainerSchema parent =
      layer({weight("word_emb"), weight("word_unembed")}, {{"wte", {"word_emb.params", "word_unembed.params"}}});
  const ContainerSchema child("child", {}, {rule("lm_head", {{"word_unembed", "params"}})}, &parent);
  EXPECT_EQ(filled_by(child, "wte"), "word_emb");
  EXPECT_EQ(filled_by(child, "lm_head"), "word_unembed");
}

TEST(DefinitionInheritance, ParameterOfTheChildWins) {
  const ContainerSchema parent = base();
  const ContainerSchema child("child", {parameter("norm", {single("params"), optional("bias")})},
                              {rule("norm.bias", {{"norm", "bias"}})}, &parent);
  EXPECT_THAT(names(child), ElementsAre("norm", "qkv_w")) << "in the place of the base's";
  EXPECT_EQ(child.parameters()[0].dependencies.size(), 2U);
  EXPECT_EQ(filled_by(child, "norm.weight"), "norm") << "the base's rule fits the new declaration too";
}

TEST(DefinitionInheritance, RulesForWhatTheChildDeclaredAwayGoWithIt) {
  const ContainerSchema parent = base();
  const ContainerSchema child("child", {weight("qkv_w")}, {rule("qkv.weight", {{"qkv_w", "params"}})}, &parent);
  EXPECT_EQ(filled_by(child, "qkv.weight"), "qkv_w");
  EXPECT_EQ(filled_by(child, "q.weight"), "");
  EXPECT_EQ(child.rules().size(), 2U);
}

TEST(DefinitionInheritance, OwnRuleForWhatTheChildDeclaredAwayIsAFault) {
  const ContainerSchema parent = base();
  EXPECT_TRUE(fails_with(
      [&] {
        ContainerSchema("child", {weight("qkv_w")},
                        {rule("qkv.weight", {{"qkv_w", "params"}}), rule("q.weight", {{"qkv_w", "q_params"}})},
                        &parent);
      },
      Errc::unknown_dependency, {"got:      q_params"}));
}

TEST(DefinitionInheritance, CompletenessIsJudgedOnTheWhole) {
  const ContainerSchema parent = base();
  EXPECT_TRUE(fails_with([&] { ContainerSchema("child", {weight("q_norm")}, {}, &parent); }, Errc::dependency_unmapped,
                         {"child", "'q_norm.params'"}));
}

TEST(DefinitionInheritance, BaseWithoutMappingLeavesItsParametersToTheChild) {
  const ContainerSchema parent = layer({weight("norm")}, {});
  EXPECT_NO_THROW(ContainerSchema("child", {}, {rule("norm.weight", {{"norm", "params"}})}, &parent));
  EXPECT_TRUE(fails_with(
      [&] {
        ContainerSchema("child", {weight("ln")}, {rule("ln.weight", {{"ln", "params"}})}, &parent);
      },
      Errc::dependency_unmapped, {"'norm.params'"}));
}

TEST(DefinitionInheritance, GoesOverSeveralGenerations) {
  const ContainerSchema first = base();
  const ContainerSchema second("second", {}, {rule("ln.weight", {{"norm", "params"}})}, &first);
  const ContainerSchema third("third", {weight("extra")}, {rule("extra", {{"extra", "params"}})}, &second);
  EXPECT_EQ(filled_by(third, "ln.weight"), "norm");
  EXPECT_EQ(filled_by(third, "norm.weight"), "");
  EXPECT_EQ(filled_by(third, "v.weight"), "qkv_w");
}

}  // namespace
}  // namespace ballast::test
