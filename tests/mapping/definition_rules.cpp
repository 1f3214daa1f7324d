// D3, D5, D8, and the form of sources.
#include <gtest/gtest.h>

#include "mapping/schemas.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(DefinitionRules, OneSourceMayFillSeveralParameters) {
  const ContainerSchema schema =
      layer({weight("word_emb"), weight("word_unembed")}, {{"wte.weight", {"word_emb.params", "word_unembed.params"}}});
  ASSERT_EQ(schema.places(0).size(), 2U);
  EXPECT_EQ(schema.rule_of(0, 0), schema.rule_of(1, 0));
}

TEST(DefinitionRules, MayHaveMoreTargetsThanAWordHasBits) {
  Parameters parameters;
  std::vector<std::string> targets;
  for (int i = 0; i < 100; ++i) {
    parameters.push_back(weight("p" + std::to_string(i)));
    targets.push_back("p" + std::to_string(i) + ".params");
  }
  EXPECT_EQ(layer(parameters, {{"w", targets}}).places(0).size(), 100U);
}

TEST(DefinitionRules, WithoutATargetAreNamed) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)layer({weight("norm")}, {{"norm.weight", {"norm.params"}}, {"rope", {}}});
      },
      Errc::rule_without_target, {"layer", "'rope'", "expected: at least one source and one target"}));
}

TEST(DefinitionRules, WithoutASourceAreNamed) {
  EXPECT_TRUE(fails_with(
      [] {
        ContainerSchema("layer", {weight("norm")}, {MappingRule{{}, {{"norm", "params"}}, {}}});
      },
      Errc::rule_without_target, {"(no source)"}));
}

TEST(DefinitionRules, MayNotRepeatASource) {
  const auto error = error_of([] {
    (void)layer({weight("a"), weight("b")}, {{"w.weight", {"a.params"}}, {"w.weight", {"b.params"}}});
  });
  EXPECT_TRUE(has_fault(error, Errc::duplicate_pattern,
                        {"the source 'w.weight' has two rules", "expected: one rule, with all its targets"}));
  EXPECT_EQ(error->total(), 1U);
}

TEST(DefinitionRules, MayNotRepeatASourceAmongAlternatives) {
  EXPECT_TRUE(fails_with(
      [] {
        ContainerSchema("layer", {weight("a")}, {MappingRule{{"x", "y", "x"}, {{"a", "params"}}, {}}});
      },
      Errc::duplicate_pattern, {"'x'"}));
  EXPECT_TRUE(fails_with(
      [] {
        ContainerSchema("layer", {weight("a"), weight("b")},
                        {MappingRule{{"x", "y"}, {{"a", "params"}}, {}}, MappingRule{{"y"}, {{"b", "params"}}, {}}});
      },
      Errc::duplicate_pattern, {"'y'"}));
}

TEST(DefinitionRules, SourcesHaveNoEmptySegments) {
  for (const char* source : {"", ".", "norm..weight", ".norm", "norm."})
    EXPECT_TRUE(fails_with(
        [&] {
          (void)layer({weight("norm")}, {{source, {"norm.params"}}});
        },
        Errc::invalid_pattern, {"malformed", "segments between dots, none empty"}))
        << source;
}

TEST(DefinitionRules, WildcardsAreWholeSegments) {
  for (const char* source : {"expert_*.weight", "experts.*0.weight", "experts.**.weight"})
    EXPECT_TRUE(fails_with(
        [&] {
          (void)layer({experts("moe")}, {{source, {"moe.experts"}}});
        },
        Errc::invalid_pattern, {"'*' only as a whole segment"}))
        << source;
}

TEST(DefinitionRules, NoneAtAllIsFilledByHand) {
  const ContainerSchema schema = layer({qkv("qkv_w"), experts("moe")}, {});
  EXPECT_FALSE(schema.has_mapping());
  EXPECT_EQ(schema.n_params(), 2U);
  EXPECT_FALSE(schema.rule_of(0, 0));
  EXPECT_TRUE(schema.match("q.weight").empty());
}

TEST(DefinitionRules, OneAloneMakesTheMappingOneThatMustBeComplete) {
  EXPECT_TRUE(fails_with([] { (void)layer({qkv("qkv_w")}, {{"q", {"qkv_w.q_params"}}}); }, Errc::dependency_unmapped));
}

TEST(DefinitionRules, FaultsOfAllKindsComeTogether) {
  const auto error = error_of([] {
    (void)layer({qkv("qkv_w"), experts("moe"), weight("norm")}, {{"q", {"qkv_w.q_params"}},
                                                                 {"k", {"qkv_w.q_params"}},
                                                                 {"v", {"qkv_w.w_params"}},
                                                                 {"experts.up", {"moe.experts"}},
                                                                 {"norm", {"norms.params"}},
                                                                 {"norm", {}},
                                                                 {"a..b", {"norm.params"}}});
  });
  for (const Errc code :
       {Errc::dependency_mapped_twice, Errc::unknown_dependency, Errc::wildcard_count, Errc::unknown_parameter,
        Errc::rule_without_target, Errc::duplicate_pattern, Errc::invalid_pattern})
    EXPECT_EQ(count_faults(error, code), 1U) << name(code);
  EXPECT_EQ(count_faults(error, Errc::dependency_unmapped), 2U);
  EXPECT_EQ(error->total(), 9U);
}

}  // namespace
}  // namespace ballast::test
