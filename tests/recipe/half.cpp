#include <gtest/gtest.h>

#include "recipe/recipes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(Half, IsOfAnyAxis) {
  EXPECT_EQ(half(stored({6, 4}), 0, 0).shape(), (Shape{3, 4}));
  EXPECT_EQ(half(stored({6, 4}), 1, 1).shape(), (Shape{6, 2}));
}

TEST(Half, RefusesOddExtentsAndThirdHalves) {
  EXPECT_TRUE(fails_with([] { (void)half(stored({5, 4}), 0, 0); }, Errc::shape_mismatch, {"axis 0 has no halves"}));
  EXPECT_TRUE(fails_with([] { (void)half(stored({6, 4}), 0, 2); }, Errc::shape_mismatch, {"half 2 of 6"}));
  EXPECT_TRUE(fails_with([] { (void)half(stored({6, 4}), 2, 0); }, Errc::recipe_invalid, {"axis"}));
}

}  // namespace
}  // namespace ballast::test
