#include <gtest/gtest.h>

#include "recipe/recipes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

// What a temporary recipe says outlives it.
static_assert(std::is_same_v<decltype(std::declval<Recipe>().spec()), TensorSpec>);
static_assert(std::is_same_v<decltype(std::declval<Recipe>().shape()), Shape>);
static_assert(!std::is_reference_v<decltype(std::declval<Recipe>().node())>);

TEST(Reshape, KeepsTheElementsAndTheDtype) {
  EXPECT_EQ(reshape(stored({6, 4}, DType::F16), {2, 3, 4}).spec(), (TensorSpec{DType::F16, {2, 3, 4}}));
  EXPECT_EQ(reshape(stored({1, 1}), {}).shape(), Shape{});
  EXPECT_EQ(reshape(stored({0, 4}), {7, 0}).shape(), (Shape{7, 0}));
}

TEST(Reshape, ToTheSameShapeIsTheOperand) {
  const Recipe x = stored({6, 4});
  EXPECT_EQ(reshape(x, {6, 4}).node(), x.node());
}

TEST(Reshape, RefusesAnotherNumberOfElements) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)reshape(stored({6, 4}), {5, 5});
      },
      Errc::shape_mismatch, {"reshape to [5, 5]", "expected: 24 elements, as in [6, 4]", "got:      25 elements"}));
}

TEST(Reshape, RefusesMoreElementsThan64BitsCount) {
  constexpr std::uint64_t kHuge = std::uint64_t{1} << 32;
  EXPECT_TRUE(fails_with(
      [] {
        (void)reshape(stored({0}), {kHuge, kHuge, 0});
      },
      Errc::shape_mismatch, {"got:      more than 64 bits hold"}));
}

TEST(Reshape, RefusesWhatHoldsNothing) {
  EXPECT_TRUE(fails_with([] { (void)reshape(Recipe::nothing(), {1}); }, Errc::recipe_invalid, {"holds nothing"}));
}

}  // namespace
}  // namespace ballast::test
