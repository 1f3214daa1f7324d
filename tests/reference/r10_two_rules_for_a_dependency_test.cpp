// R10: a dependency targeted by two rules is an error; ordered alternatives are declared as such.
#include <gtest/gtest.h>

#include "mapping/schemas.hpp"
#include "reference/declared.hpp"
#include "support/faults.hpp"

namespace ballast::reference {
namespace {

struct Alternatives {
  Parameter<Weight> norm;
  static constexpr auto param_mapping =
      mapping<Alternatives>(from_any({"norm.weight", "norm.gamma"}, to<&Alternatives::norm, &Weight::params>));
};

TEST(R10, DependencyTargetedByTwoRulesIsAnError) {
  EXPECT_TRUE(test::fails_with(
      [] {
        (void)test::layer({test::weight("norm")}, {{"a", {"norm.params"}}, {"b", {"norm.params"}}});
      },
      Errc::dependency_mapped_twice, {"'norm.params'", "'a' and 'b'"}));
}

TEST(R10, OrderedAlternativesAreDeclaredAsSuch) {
  const ContainerSchema& schema = schema_of<Alternatives>();
  EXPECT_EQ(schema.match_one("norm.weight")->alternative, 0U);
  EXPECT_EQ(schema.match_one("norm.gamma")->alternative, 1U);
}

}  // namespace
}  // namespace ballast::reference
