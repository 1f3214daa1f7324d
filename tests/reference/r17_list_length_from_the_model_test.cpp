// R17: the length of a list dependency is a member of the model context; an absent one is a compile error
// (compile_fail/r17_*), or named at run time.
#include <gtest/gtest.h>

#include "mapping/schemas.hpp"
#include "reference/declared.hpp"
#include "support/faults.hpp"

namespace ballast::reference {
namespace {

TEST(R17, LengthOfAListComesFromTheModel) {
  ModelContext m;
  m.n_experts = 5;
  EXPECT_EQ(list_length(schema_of<Layer>().parameters()[2].dependencies[0], m), 5U);
  EXPECT_EQ(list_length(test::list("experts", "n_experts"), m), 5U);
}

TEST(R17, AbsentAttributeIsNamed) {
  EXPECT_TRUE(test::fails_with([] { (void)list_length(test::list("experts", "n_expertz"), ModelContext()); },
                               Errc::unknown_list_length, {"'experts'", "'n_expertz'"}));
}

}  // namespace
}  // namespace ballast::reference
