// R11: a dependency without a rule is an error that lists all of them; optional ones are declared as such.
#include <gtest/gtest.h>

#include "mapping/schemas.hpp"
#include "reference/declared.hpp"
#include "support/faults.hpp"

namespace ballast::reference {
namespace {

struct MaybeBiased {
  Dependency params;
  OptionalDependency bias;
  Recipe finalize(const ModelContext&) const { return params; }
};
struct Biased {
  Parameter<MaybeBiased> norm;
  static constexpr auto param_mapping = mapping<Biased>(from("w", to<&Biased::norm, &MaybeBiased::params>));
};

TEST(R11, DependenciesWithoutARuleAreAllListed) {
  const auto error = test::error_of([] { (void)test::layer({test::qkv("qkv_w")}, {{"q", {"qkv_w.q_params"}}}); });
  EXPECT_TRUE(test::has_fault(error, Errc::dependency_unmapped, {"qkv_w.k_params"}));
  EXPECT_TRUE(test::has_fault(error, Errc::dependency_unmapped, {"qkv_w.v_params"}));
}

TEST(R11, OptionalOnesAreDeclaredAsSuch) {
  static_assert(well_mapped<Biased>);
  EXPECT_FALSE(schema_of<Biased>().rule_of(0, 1));
}

}  // namespace
}  // namespace ballast::reference
