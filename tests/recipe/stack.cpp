#include <gtest/gtest.h>

#include "recipe/recipes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(Stack, MakesANewAxis) {
  const std::vector<Recipe> three(3, stored({8, 5}, DType::F16));
  EXPECT_EQ(stack(three).spec(), (TensorSpec{DType::F16, {3, 8, 5}}));
  EXPECT_EQ(stack(three, 1).spec(), (TensorSpec{DType::F16, {8, 3, 5}}));
  EXPECT_EQ(stack(three, 2).spec(), (TensorSpec{DType::F16, {8, 5, 3}}));
}

TEST(Stack, MakesVectorsOfScalars) {
  const std::vector<Recipe> four(4, stored({}));
  EXPECT_EQ(stack(four).shape(), (Shape{4}));
}

TEST(Stack, RefusesNoOperands) {
  EXPECT_TRUE(fails_with([] { (void)stack({}); }, Errc::recipe_invalid, {"stack", "expected: at least one operand"}));
}

TEST(Stack, RefusesAnAxisThatIsNotThere) {
  const std::vector<Recipe> two(2, stored({8}));
  EXPECT_TRUE(fails_with([&] { (void)stack(two, 2); }, Errc::recipe_invalid,
                         {"expected: an axis below 2", "got:      axis 2"}));
}

TEST(Stack, RefusesShapesThatDiffer) {
  const std::vector<Recipe> two{stored({8, 5}), stored({8, 6})};
  EXPECT_TRUE(
      fails_with([&] { (void)stack(two); }, Errc::shape_mismatch, {"expected: F32 [8, 5]", "got:      F32 [8, 6]"}));
}

TEST(Stack, RefusesDtypesThatDiffer) {
  const std::vector<Recipe> two{stored({8}, DType::F16), stored({8}, DType::F32)};
  EXPECT_TRUE(fails_with([&] { (void)stack(two); }, Errc::dtype_mismatch, {"expected: F16 [8]", "got:      F32 [8]"}));
}

TEST(Stack, RefusesMoreAxesThanAShapeHolds) {
  Shape full;
  while (full.push_back(1)) {
  }
  const std::vector<Recipe> two(2, stored(full));
  EXPECT_TRUE(fails_with([&] { (void)stack(two); }, Errc::rank_too_large, {"too many dimensions"}));
}

TEST(Stack, RefusesWhatHoldsNothing) {
  const std::vector<Recipe> two{stored({8}), Recipe::nothing()};
  EXPECT_TRUE(fails_with([&] { (void)stack(two); }, Errc::recipe_invalid, {"holds nothing on this rank"}));
}

}  // namespace
}  // namespace ballast::test
