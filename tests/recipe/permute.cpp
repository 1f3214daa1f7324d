#include <gtest/gtest.h>

#include "recipe/recipes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(Permute, ReordersTheAxes) {
  const Recipe x = stored({2, 3, 5}, DType::BF16);
  EXPECT_EQ(permute(x, {2, 0, 1}).spec(), (TensorSpec{DType::BF16, {5, 2, 3}}));
  const auto order = permute(x, {2, 0, 1}).node()->order;
  EXPECT_EQ(order[0], 2);
  EXPECT_EQ(order[1], 0);
  EXPECT_EQ(order[2], 1);
}

TEST(Permute, ByTheOrderThatThereIsGivesTheOperand) {
  const Recipe x = stored({2, 3});
  EXPECT_EQ(permute(x, {0, 1}).node(), x.node());
  const Recipe scalar = stored({});
  EXPECT_EQ(permute(scalar, {}).node(), scalar.node());
}

TEST(Permute, RefusesAnAxisNamedTwice) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)permute(stored({2, 3}), {1, 1});
      },
      Errc::recipe_invalid, {"expected: each of 2 axes once", "got:      [1, 1]"}));
}

TEST(Permute, RefusesTooFewAndTooManyAxes) {
  EXPECT_TRUE(fails_with([] { (void)permute(stored({2, 3}), {0}); }, Errc::recipe_invalid, {"got:      [0]"}));
  EXPECT_TRUE(fails_with([] { (void)permute(stored({2, 3}), {1, 0, 0}); }, Errc::recipe_invalid, {"[1, 0, 0]"}));
}

TEST(Permute, RefusesAnAxisThatIsNotThere) {
  EXPECT_TRUE(fails_with([] { (void)permute(stored({2, 3}), {0, 2}); }, Errc::recipe_invalid, {"there is no axis 2"}));
}

TEST(Permute, RefusesWhatHoldsNothing) {
  EXPECT_TRUE(fails_with([] { (void)permute(Recipe::nothing(), {}); }, Errc::recipe_invalid, {"holds nothing"}));
}

TEST(Transpose, SwapsTwoAxes) {
  EXPECT_EQ(transpose(stored({2, 3, 5}), 1, 2).shape(), (Shape{2, 5, 3}));
  EXPECT_EQ(transpose(stored({2, 3, 5}), 2, 0).shape(), (Shape{5, 3, 2}));
  const Recipe x = stored({2, 3});
  EXPECT_EQ(transpose(x, 1, 1).node(), x.node());
}

TEST(Transpose, RefusesAnAxisThatIsNotThere) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)transpose(stored({2, 3}), 0, 2);
      },
      Errc::recipe_invalid, {"transpose: there is no axis 2", "expected: an axis below 2"}));
}

}  // namespace
}  // namespace ballast::test
