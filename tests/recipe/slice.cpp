#include <gtest/gtest.h>

#include "recipe/recipes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(Slice, TakesARangeOfOneAxis) {
  const Recipe x = stored({10, 6}, DType::BF16);
  EXPECT_EQ(slice(x, 0, 2, 5).spec(), (TensorSpec{DType::BF16, {3, 6}}));
  EXPECT_EQ(slice(x, 1, 0, 4).spec(), (TensorSpec{DType::BF16, {10, 4}}));
}

TEST(Slice, MayBeEmpty) { EXPECT_EQ(slice(stored({10, 6}), 0, 10, 10).shape(), (Shape{0, 6})); }

TEST(Slice, OfEverythingIsTheOperand) {
  const Recipe x = stored({10, 6});
  EXPECT_EQ(slice(x, 0, 0, 10).node(), x.node());
}

TEST(Slice, RefusesARangeThatLeavesTheAxis) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)slice(stored({10, 6}), 1, 2, 7);
      },
      Errc::shape_mismatch, {"leaves axis 1", "expected: a range within [0, 6)", "got:      [2, 7)"}));
}

TEST(Slice, RefusesAReversedRange) {
  EXPECT_TRUE(fails_with([] { (void)slice(stored({10}), 0, 5, 4); }, Errc::shape_mismatch, {"got:      [5, 4)"}));
}

TEST(Slice, RefusesAnAxisThatIsNotThere) {
  EXPECT_TRUE(fails_with([] { (void)slice(stored({10}), 1, 0, 0); }, Errc::recipe_invalid, {"there is no axis 1"}));
}

TEST(Slice, RefusesWhatHoldsNothing) {
  EXPECT_TRUE(fails_with([] { (void)slice(Recipe::nothing(), 0, 0, 0); }, Errc::recipe_invalid, {"holds nothing"}));
}

}  // namespace
}  // namespace ballast::test
