// R13: a rule onto list dependencies needs exactly one wildcard (compile_fail/d4_* for declared containers).
#include <gtest/gtest.h>

#include "mapping/schemas.hpp"
#include "support/faults.hpp"

namespace ballast::reference {
namespace {

TEST(R13, RuleOntoAListNeedsExactlyOneWildcard) {
  const auto make = [](const char* source) {
    return test::error_of([&] { (void)test::layer({test::experts("moe")}, {{source, {"moe.experts"}}}); });
  };
  EXPECT_FALSE(make("experts.*.up"));
  EXPECT_TRUE(test::has_fault(make("experts.up"), Errc::wildcard_count, {"'experts.up' with 0 '*'"}));
  EXPECT_TRUE(test::has_fault(make("experts.*.up.*"), Errc::wildcard_count, {"with 2 '*'"}));
}

}  // namespace
}  // namespace ballast::reference
