// R9: an unknown target dependency is an error that lists the valid ones (compile_fail/d1_* for declared containers).
#include <gtest/gtest.h>

#include "mapping/schemas.hpp"
#include "support/faults.hpp"

namespace ballast::reference {
namespace {

TEST(R09, UnknownTargetDependencyIsAnErrorThatListsTheValidOnes) {
  EXPECT_TRUE(test::fails_with(
      [] {
        (void)test::layer({test::qkv("qkv_w")}, {{"w", {"qkv_w.query"}}});
      },
      Errc::unknown_dependency, {"got:      query", "one of: q_params, k_params, v_params"}));
}

}  // namespace
}  // namespace ballast::reference
