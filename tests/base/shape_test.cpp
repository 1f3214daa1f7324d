#include "ballast/shape.hpp"

#include <gtest/gtest.h>

namespace ballast {
namespace {

TEST(Shape, Text) {
  EXPECT_EQ(to_string(Shape{}), "[]");
  EXPECT_EQ(to_string(Shape{576, 1536}), "[576, 1536]");
}

TEST(Shape, NumberOfElements) {
  EXPECT_EQ(Shape{}.checked_numel(), 1U);
  EXPECT_EQ((Shape{2, 3, 4}.checked_numel()), 24U);
  EXPECT_EQ((Shape{2, 0, 4}.checked_numel()), 0U);
}

TEST(Shape, AZeroDoesNotHideAnOverflow) {
  constexpr std::uint64_t kHuge = std::uint64_t{1} << 33;
  EXPECT_FALSE((Shape{kHuge, kHuge}.checked_numel()));
  EXPECT_FALSE((Shape{0, kHuge, kHuge}.checked_numel()));
  EXPECT_FALSE((Shape{kHuge, kHuge, 0}.checked_numel()));
}

TEST(Shape, TakesNoMoreThanItsMaximumRank) {
  Shape shape;
  for (std::size_t i = 0; i < Shape::kMaxRank; ++i) EXPECT_TRUE(shape.push_back(1));
  const Shape full = shape;
  EXPECT_FALSE(shape.push_back(2));
  EXPECT_EQ(shape, full);
}

}  // namespace
}  // namespace ballast
