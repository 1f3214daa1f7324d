#include <gtest/gtest.h>

#include "recipe/recipes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(TransformHeadRows, CutsWholeHeadsOfAnySize) {
  const auto shapes = [](const ModelContext& m, std::uint64_t ranks) {
    return on_every_rank(m, ranks, [](const ModelContext& one) { return one.transform_head_rows(stored({35, 6}), 5); });
  };
  EXPECT_EQ(shapes(context(7, 7), 2), (std::vector<Shape>{{20, 6}, {15, 6}}));
  EXPECT_EQ(context(7, 7).transform_head_rows(stored({7}), 1).shape(), Shape{7});
}

TEST(TransformHeadRows, FollowsTheGroupsOfQueryHeads) {
  const ModelContext m = context(8, 2);
  EXPECT_EQ(on_every_rank(m, 4, [](const ModelContext& one) { return one.transform_head_rows(stored({8}), 1); }),
            (std::vector<Shape>{{2}, {2}, {2}, {2}}));
}

TEST(TransformHeadRows, RefusesAnotherNumberOfRows) {
  EXPECT_TRUE(fails_with([] { (void)context(8, 8).transform_head_rows(stored({9}), 1); }, Errc::shape_mismatch,
                         {"8 along axis 0", "8 heads of 1"}));
}

}  // namespace
}  // namespace ballast::test
