// R28: a name that matches several wildcard patterns is an error listing them, at definition time where it can be known
// (compile_fail/r28_* for declared containers).
#include <gtest/gtest.h>

#include "mapping/schemas.hpp"
#include "support/faults.hpp"

namespace ballast::reference {
namespace {

TEST(R28, PatternsThatOneNameCouldMatchAreRefusedAtDefinition) {
  EXPECT_TRUE(test::fails_with(
      [] {
        (void)test::layer({test::weight("a"), test::weight("b")},
                          {{"*.weight", {"a.params"}}, {"*.norm.weight", {"b.params"}}});
      },
      Errc::ambiguous_patterns, {"'*.weight' and '*.norm.weight'"}));
  EXPECT_TRUE(test::fails_with(
      [] {
        (void)test::layer({test::experts("a"), test::experts("b")},
                          {{"experts.*.up", {"a.experts"}}, {"*.0.up", {"b.experts"}}});
      },
      Errc::ambiguous_patterns, {"'experts.*.up' and '*.0.up'"}));
}

}  // namespace
}  // namespace ballast::reference
