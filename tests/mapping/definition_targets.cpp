// D1: a target names a parameter of the container and a dependency of that parameter.
#include <gtest/gtest.h>

#include "mapping/schemas.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(DefinitionTargets, ThatAreThereAreFine) {
  const ContainerSchema schema = layer({weight("norm")}, {{"norm.weight", {"norm.params"}}});
  ASSERT_EQ(schema.places(0).size(), 1U);
  EXPECT_EQ(schema.places(0)[0].parameter, 0U);
  EXPECT_EQ(schema.places(0)[0].dependency, 0U);
  EXPECT_EQ(schema.rule_of(0, 0), 0U);
}

TEST(DefinitionTargets, UnknownParameterIsNamedWithTheValidOnes) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)layer({weight("norm"), qkv("qkv_w")}, {{"norm.weight", {"norm_w.params"}}});
      },
      Errc::unknown_parameter, {"layer", "'norm.weight'", "expected: one of: norm, qkv_w", "got:      norm_w"}));
}

TEST(DefinitionTargets, UnknownDependencyIsNamedWithTheValidOnes) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)layer({qkv("qkv_w")}, {{"attn.q", {"qkv_w.q"}}});
      },
      Errc::unknown_dependency,
      {"layer", "'attn.q'", "'qkv_w'", "expected: one of: q_params, k_params, v_params", "got:      q"}));
}

TEST(DefinitionTargets, EverythingAfterTheFirstDotIsTheDependency) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)layer({weight("norm")}, {{"w", {"norm.params.x"}}});
      },
      Errc::unknown_dependency, {"got:      params.x"}));
}

TEST(DefinitionTargets, NamesAreCaseSensitive) {
  EXPECT_TRUE(fails_with([] { (void)layer({weight("norm")}, {{"w", {"Norm.params"}}}); }, Errc::unknown_parameter));
}

TEST(DefinitionTargets, WithoutADotAreMalformed) {
  const auto error = error_of([] { (void)layer({weight("norm")}, {{"norm.weight", {"norm"}}}); });
  EXPECT_TRUE(has_fault(error, Errc::malformed_target,
                        {"layer", "'norm' of 'norm.weight' has no dot", "expected: parameter.dependency"}));
  EXPECT_EQ(error->total(), 1U) << "what the malformed target would have filled is no fault of its own";
}

TEST(DefinitionTargets, MalformedOnesComeWithTheOtherFaults) {
  const auto error = error_of([] {
    (void)layer({weight("norm"), weight("final")}, {{"norm.weight", {"norm"}}, {"final.weight", {"last.params"}}});
  });
  EXPECT_TRUE(has_fault(error, Errc::malformed_target));
  EXPECT_TRUE(has_fault(error, Errc::unknown_parameter, {"got:      last"}));
}

}  // namespace
}  // namespace ballast::test
