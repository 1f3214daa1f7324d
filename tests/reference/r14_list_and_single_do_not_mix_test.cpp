// R14: a rule may not mix list and single targets (compile_fail/d4_list_and_single_mixed for declared containers).
#include <gtest/gtest.h>

#include "mapping/schemas.hpp"
#include "support/faults.hpp"

namespace ballast::reference {
namespace {

TEST(R14, RuleMayNotMixListAndSingleTargets) {
  EXPECT_TRUE(test::fails_with(
      [] {
        (void)test::layer({test::experts("moe"), test::weight("mlp")}, {{"e.*.up", {"moe.experts", "mlp.params"}}});
      },
      Errc::mixed_targets, {"'e.*.up'"}));
}

}  // namespace
}  // namespace ballast::reference
