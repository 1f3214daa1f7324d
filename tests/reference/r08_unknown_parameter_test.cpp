// R8: an unknown target parameter is an error that lists the valid ones (compile_fail/d1_* for declared containers).
#include <gtest/gtest.h>

#include "mapping/schemas.hpp"
#include "support/faults.hpp"

namespace ballast::reference {
namespace {

TEST(R08, UnknownTargetParameterIsAnErrorThatListsTheValidOnes) {
  EXPECT_TRUE(test::fails_with(
      [] {
        (void)test::layer({test::weight("norm"), test::weight("mlp")}, {{"w", {"norms.params"}}});
      },
      Errc::unknown_parameter, {"got:      norms", "one of: norm, mlp"}));
}

}  // namespace
}  // namespace ballast::reference
