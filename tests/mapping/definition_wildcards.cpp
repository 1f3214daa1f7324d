// D4, and R28: what '*' may stand for, and patterns that could match one name.
#include <gtest/gtest.h>

#include "mapping/schemas.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(DefinitionWildcards, ListsNeedExactlyOne) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)layer({experts("moe")}, {{"experts.up", {"moe.experts"}}});
      },
      Errc::wildcard_count, {"'experts.up' fills a list", "expected: one '*'", "got:      'experts.up' with 0 '*'"}));
  EXPECT_TRUE(fails_with(
      [] {
        (void)layer({experts("moe")}, {{"b.*.experts.*.up", {"moe.experts"}}});
      },
      Errc::wildcard_count, {"with 2 '*'"}));
}

TEST(DefinitionWildcards, OfListsMayStandAnywhere) {
  for (const char* source : {"*", "*.up", "experts.*", "experts.*.up"})
    EXPECT_EQ(layer({experts("moe")}, {{source, {"moe.experts"}}}).list_patterns(), std::vector<std::string>{source});
}

TEST(DefinitionWildcards, EveryAlternativeOfAListHasOne) {
  EXPECT_TRUE(fails_with(
      [] {
        ContainerSchema("layer", {experts("moe")}, {MappingRule{{"e.*", "e.all"}, {{"moe", "experts"}}, {}}});
      },
      Errc::wildcard_count, {"'e.all'"}));
}

TEST(DefinitionWildcards, OfSinglesMayOnlyLead) {
  EXPECT_NO_THROW((void)layer({weight("norm")}, {{"*.norm.weight", {"norm.params"}}}));
  for (const char* source : {"*", "norm.*", "layers.*.norm", "*.layers.*.norm"})
    EXPECT_TRUE(fails_with(
        [&] {
          (void)layer({weight("norm")}, {{source, {"norm.params"}}});
        },
        Errc::wildcard_count, {"fills a single dependency", "expected: no '*', or one as the first segment"}))
        << source;
}

TEST(DefinitionWildcards, ListsAndSinglesDoNotMixInOneRule) {
  const auto error = error_of([] {
    (void)layer({experts("moe"), weight("mlp")}, {{"experts.*.up", {"moe.experts", "mlp.params"}}});
  });
  EXPECT_TRUE(
      has_fault(error, Errc::mixed_targets, {"'experts.*.up'", "expected: targets that are all lists or all single"}));
  EXPECT_EQ(error->total(), 1U);
}

TEST(DefinitionWildcards, OneRuleMayFillSeveralLists) {
  const ContainerSchema schema = layer({experts("moe_mlp_1"), experts("moe_mlp_2")},
                                       {{"experts.*.w", {"moe_mlp_1.experts", "moe_mlp_2.experts"}}});
  EXPECT_EQ(schema.places(0).size(), 2U);
}

TEST(DefinitionOverlap, LeadingPathsOfWhichOneEndsTheOther) {
  const auto overlap = [](const char* a, const char* b) {
    return error_of([&] { (void)layer({weight("a"), weight("b")}, {{a, {"a.params"}}, {b, {"b.params"}}}); });
  };
  EXPECT_TRUE(has_fault(overlap("*.weight", "*.norm.weight"), Errc::ambiguous_patterns,
                        {"'*.weight' and '*.norm.weight'", "at most one matches"}));
  EXPECT_TRUE(has_fault(overlap("*.norm.weight", "*.weight"), Errc::ambiguous_patterns));
  EXPECT_FALSE(overlap("*.norm.weight", "*.ln.weight"));
  EXPECT_FALSE(overlap("*.weight", "*.q_weight")) << "segments are whole";
  EXPECT_FALSE(overlap("*.weight", "norm.weight")) << "an exact name comes before any pattern";
}

TEST(DefinitionOverlap, ListPatternsThatAgreeSegmentBySegment) {
  const auto overlap = [](const char* a, const char* b) {
    return error_of([&] { (void)layer({experts("a"), experts("b")}, {{a, {"a.experts"}}, {b, {"b.experts"}}}); });
  };
  EXPECT_TRUE(has_fault(overlap("experts.*.up", "experts.0.*"), Errc::ambiguous_patterns,
                        {"'experts.*.up' and 'experts.0.*'"}));
  EXPECT_TRUE(has_fault(overlap("*.up", "experts.*"), Errc::ambiguous_patterns));
  EXPECT_FALSE(overlap("experts.*.up", "experts.*.down"));
  EXPECT_FALSE(overlap("experts.*", "experts.*.up")) << "'*' is one segment";
}

TEST(DefinitionOverlap, ListPatternsComeBeforeLeadingPaths) {
  EXPECT_NO_THROW((void)layer({experts("moe"), weight("norm")},
                              {{"experts.*.weight", {"moe.experts"}}, {"*.weight", {"norm.params"}}}));
}

TEST(DefinitionOverlap, AlternativesOfOneRuleMayNotOverlapEither) {
  EXPECT_TRUE(fails_with(
      [] {
        ContainerSchema("layer", {experts("moe")}, {MappingRule{{"e.*.up", "e.0.*"}, {{"moe", "experts"}}, {}}});
      },
      Errc::ambiguous_patterns));
}

}  // namespace
}  // namespace ballast::test
