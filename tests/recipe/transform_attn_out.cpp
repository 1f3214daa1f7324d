#include <gtest/gtest.h>

#include "recipe/recipes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

std::vector<Shape> columns(std::uint64_t heads, std::uint64_t heads_kv, std::uint64_t ranks) {
  const Recipe x = stored({48, heads * 16});
  return on_every_rank(context(heads, heads_kv), ranks, [&](const ModelContext& m) { return m.transform_attn_out(x); });
}

TEST(TransformAttnOut, CutsColumnsByWholeHeads) {
  EXPECT_EQ(columns(8, 8, 1), (std::vector<Shape>{{48, 128}}));
  EXPECT_EQ(columns(8, 8, 3), (std::vector<Shape>{{48, 48}, {48, 48}, {48, 32}}));
  EXPECT_EQ(columns(8, 4, 2), (std::vector<Shape>{{48, 64}, {48, 64}}));
}

TEST(TransformAttnOut, FollowsTheQueryHeadsOfItsGroups) {
  EXPECT_EQ(columns(6, 2, 4), (std::vector<Shape>{{48, 32}, {48, 16}, {48, 32}, {48, 16}}));
}

TEST(TransformAttnOut, BiasLivesOnRankZero) {
  EXPECT_EQ(context(8, 8, 0, 2).transform_attn_out(stored({48})).shape(), (Shape{48}));
  EXPECT_TRUE(context(8, 8, 1, 2).transform_attn_out(stored({48})).is_nothing());
  EXPECT_EQ(context(8, 8).transform_attn_out(stored({48})).shape(), (Shape{48}));
}

TEST(TransformAttnOut, RefusesColumnsThatTheConfigDoesNotExplain) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)context(8, 8).transform_attn_out(stored({48, 130}));
      },
      Errc::shape_mismatch, {"the attention output", "expected: 128 along axis 1", "8 query heads of 16"}));
  EXPECT_TRUE(fails_with([] { (void)context(8, 8).transform_attn_out(stored({})); }, Errc::shape_mismatch));
}

TEST(TransformAttnOut, RefusesHeadsThatCannotBeDivided) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)context(8, 4, 0, 3).transform_attn_out(stored({48, 128}));
      },
      Errc::invalid_sharding, {"3 ranks"}));
}

}  // namespace
}  // namespace ballast::test
