#include <gtest/gtest.h>

#include "recipe/recipes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(Cast, ChangesTheDtypeOnly) {
  EXPECT_EQ(cast(stored({8, 3}, DType::F32), DType::BF16).spec(), (TensorSpec{DType::BF16, {8, 3}}));
  EXPECT_EQ(cast(stored({8, 64}, DType::Q4_0), DType::F16).spec(), (TensorSpec{DType::F16, {8, 64}}));
}

TEST(Cast, ToItsOwnDtypeIsTheOperand) {
  const Recipe x = stored({8}, DType::BF16);
  EXPECT_EQ(cast(x, DType::BF16).node(), x.node());
  const Recipe known_by_size_only = stored({256}, DType::Q4_K);
  EXPECT_EQ(cast(known_by_size_only, DType::Q4_K).node(), known_by_size_only.node());
}

TEST(Cast, RefusesDtypesWithoutAConversion) {
  EXPECT_TRUE(fails_with([] { (void)cast(stored({256}, DType::Q4_K), DType::F16); }, Errc::dtype_unsupported,
                         {"values of Q4_K cannot be turned into F16", "got:      Q4_K to F16"}));
  EXPECT_TRUE(fails_with([] { (void)cast(stored({64}, DType::F32), DType::Q4_0); }, Errc::dtype_unsupported,
                         {"got:      F32 to Q4_0"}));
}

TEST(Cast, RefusesWhatHoldsNothing) {
  EXPECT_TRUE(fails_with([] { (void)cast(Recipe::nothing(), DType::F16); }, Errc::recipe_invalid, {"holds nothing"}));
}

}  // namespace
}  // namespace ballast::test
