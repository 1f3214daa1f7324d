// R6: the mapping is validated at compile time (tests/compile_fail); for schemas made from data, when they are made.
#include <gtest/gtest.h>

#include "mapping/schemas.hpp"
#include "reference/declared.hpp"
#include "support/faults.hpp"

namespace ballast::reference {
namespace {

static_assert(well_mapped<Layer>, "known while compiling");

TEST(R06, SchemasMadeFromDataAreValidatedWhenTheyAreMade) {
  const auto error = test::error_of([] {
    (void)test::layer({test::qkv("qkv_w")}, {{"q", {"qkv_w.q_params"}}, {"k", {"qkv_w.key"}}});
  });
  EXPECT_TRUE(test::has_fault(error, Errc::unknown_dependency));
  EXPECT_TRUE(test::has_fault(error, Errc::dependency_unmapped)) << "every fault at once";
}

}  // namespace
}  // namespace ballast::reference
