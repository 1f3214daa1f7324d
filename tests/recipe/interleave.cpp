#include <gtest/gtest.h>

#include "recipe/recipes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(Interleave, MultipliesTheExtentOfTheAxis) {
  EXPECT_EQ(interleave(0, stored({8, 3}, DType::F16), stored({8, 3}, DType::F16)).spec(),
            (TensorSpec{DType::F16, {16, 3}}));
  EXPECT_EQ(interleave(1, stored({8, 3}), stored({8, 3}), stored({8, 3})).shape(), (Shape{8, 9}));
  EXPECT_EQ(interleave(0, stored({4}), stored({4})).shape(), (Shape{8}));
}

TEST(Interleave, RefusesOperandsThatDiffer) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)interleave(0, stored({8, 3}), stored({9, 3}));
      },
      Errc::shape_mismatch, {"expected: F32 [8, 3]", "got:      F32 [9, 3]"}));
  EXPECT_TRUE(fails_with([] { (void)interleave(0, stored({8}), stored({8}, DType::F64)); }, Errc::dtype_mismatch,
                         {"expected: F32 [8]", "got:      F64 [8]"}));
}

TEST(Interleave, RefusesNoOperands) {
  EXPECT_TRUE(fails_with([] { (void)interleave(0, std::span<const Recipe>()); }, Errc::recipe_invalid,
                         {"interleave", "expected: at least one operand"}));
}

TEST(Interleave, RefusesAnAxisThatIsNotThere) {
  EXPECT_TRUE(fails_with([] { (void)interleave(1, stored({8}), stored({8})); }, Errc::recipe_invalid,
                         {"interleave: there is no axis 1"}));
}

TEST(Interleave, RefusesAnExtentBeyond64Bits) {
  const Recipe huge = stored({std::uint64_t{1} << 63});
  EXPECT_TRUE(fails_with([&] { (void)interleave(0, huge, huge); }, Errc::too_large, {"overflows"}));
}

TEST(Interleave, RefusesWhatHoldsNothing) {
  EXPECT_TRUE(
      fails_with([] { (void)interleave(0, Recipe::nothing(), stored({8})); }, Errc::recipe_invalid, {"holds nothing"}));
}

}  // namespace
}  // namespace ballast::test
