#include <gtest/gtest.h>

#include "recipe/recipes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(Concat, AddsExtentsAlongTheAxis) {
  EXPECT_EQ(concat(0, stored({8, 3}), stored({2, 3}), stored({0, 3})).spec(), (TensorSpec{DType::F32, {10, 3}}));
  EXPECT_EQ(concat(1, stored({8, 3}, DType::BF16), stored({8, 4}, DType::BF16)).spec(),
            (TensorSpec{DType::BF16, {8, 7}}));
  EXPECT_EQ(concat(0, stored({5})).spec(), (TensorSpec{DType::F32, {5}}));
}

TEST(Concat, RefusesNoOperands) {
  EXPECT_TRUE(fails_with([] { (void)concat(0, std::span<const Recipe>()); }, Errc::recipe_invalid,
                         {"concat", "expected: at least one operand", "got:      none"}));
}

TEST(Concat, RefusesAnAxisThatIsNotThere) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)concat(2, stored({8, 3}));
      },
      Errc::recipe_invalid, {"there is no axis 2", "expected: an axis below 2", "got:      axis 2"}));
  EXPECT_TRUE(fails_with([] { (void)concat(0, stored({})); }, Errc::recipe_invalid,
                         {"expected: a tensor with at least one axis"}));
}

TEST(Concat, RefusesOtherExtentsThatDiffer) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)concat(0, stored({8, 3}), stored({2, 4}));
      },
      Errc::shape_mismatch, {"along axis 0", "expected: extents of [8, 3] but for axis 0", "got:      [2, 4]"}));
}

TEST(Concat, RefusesAnotherRank) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)concat(0, stored({8, 3}), stored({8}));
      },
      Errc::shape_mismatch, {"[8, 3]", "[8]"}));
  EXPECT_TRUE(fails_with(
      [] {
        (void)concat(0, stored({8}), stored({8, 3}));
      },
      Errc::shape_mismatch, {"[8]", "[8, 3]"}));
}

TEST(Concat, RefusesDtypesThatDiffer) {
  EXPECT_TRUE(fails_with([] { (void)concat(0, stored({8}, DType::F16), stored({8}, DType::BF16)); },
                         Errc::dtype_mismatch, {"expected: F16", "got:      BF16"}));
}

TEST(Concat, RefusesAnExtentBeyond64Bits) {
  const Recipe huge = stored({std::uint64_t{1} << 63});
  EXPECT_TRUE(fails_with([&] { (void)concat(0, huge, huge); }, Errc::too_large, {"overflows"}));
}

TEST(Concat, RefusesWhatHoldsNothing) {
  EXPECT_TRUE(fails_with([] { (void)concat(0, stored({8}), Recipe::nothing()); }, Errc::recipe_invalid,
                         {"holds nothing on this rank"}));
}

}  // namespace
}  // namespace ballast::test
