#include <gtest/gtest.h>

#include "recipe/recipes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

// 4 experts, inner dimension 160, dimension 48.
const Shape kFirst{4, 160, 48};
const Shape kSecond{4, 48, 160};

TEST(TransformMoeMlp1, CutsTheInnerAxisAndTransposes) {
  const auto shapes = [](std::uint64_t ranks) {
    return on_every_rank(context(), ranks, [](const ModelContext& m) { return m.transform_moe_mlp_1(stored(kFirst)); });
  };
  EXPECT_EQ(shapes(1), (std::vector<Shape>{{4, 48, 160}}));
  EXPECT_EQ(shapes(2), (std::vector<Shape>{{4, 48, 96}, {4, 48, 64}}));
}

TEST(TransformMoeMlp1, CutsStackedBiases) {
  EXPECT_EQ(context(8, 8, 1, 2).transform_moe_mlp_1(stored({4, 160})).shape(), (Shape{4, 64}));
}

TEST(TransformGatedMoeMlp1, HasBothHalvesOfEveryExpert) {
  for (const GatedLayout layout : {GatedLayout::interleaved, GatedLayout::concatenated}) {
    ModelContext m = context(8, 8, 0, 2);
    m.gated_layout = layout;
    EXPECT_EQ(m.transform_gated_moe_mlp_1(stored(kFirst), stored(kFirst)).shape(), (Shape{4, 48, 192}));
    EXPECT_EQ(m.transform_gated_moe_mlp_1(stored({4, 160}), stored({4, 160})).shape(), (Shape{4, 192}));
    m.tp_rank = 1;
    EXPECT_EQ(m.transform_gated_moe_mlp_1(stored(kFirst), stored(kFirst)).shape(), (Shape{4, 48, 128}));
  }
}

TEST(TransformMoeMlp2, CutsTheInnerAxisAndTransposes) {
  const auto shapes = [](std::uint64_t ranks) {
    return on_every_rank(context(), ranks,
                         [](const ModelContext& m) { return m.transform_moe_mlp_2(stored(kSecond)); });
  };
  EXPECT_EQ(shapes(1), (std::vector<Shape>{{4, 160, 48}}));
  EXPECT_EQ(shapes(2), (std::vector<Shape>{{4, 96, 48}, {4, 64, 48}}));
}

TEST(TransformMoeMlp2, StackedBiasesLiveOnRankZero) {
  EXPECT_EQ(context(8, 8, 0, 2).transform_moe_mlp_2(stored({4, 48})).shape(), (Shape{4, 48}));
  EXPECT_TRUE(context(8, 8, 1, 2).transform_moe_mlp_2(stored({4, 48})).is_nothing());
}

TEST(TransformMoe, RefusesWhatIsNotStacked) {
  for (const std::uint64_t ranks : {1U, 2U}) {
    const ModelContext m = context(8, 8, 0, ranks);
    EXPECT_TRUE(fails_with([&] { (void)m.transform_moe_mlp_1(stored({160})); }, Errc::recipe_invalid, {"axis"}));
    EXPECT_TRUE(fails_with([&] { (void)m.transform_moe_mlp_2(stored({160})); }, Errc::recipe_invalid, {"axis"}));
  }
}

TEST(TransformMoeGate, IsNotCut) {
  EXPECT_EQ(context(8, 8, 1, 2).transform_moe_gate(stored({4, 48})).shape(), (Shape{4, 48}));
}

}  // namespace
}  // namespace ballast::test
