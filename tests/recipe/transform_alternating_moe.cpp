#include <gtest/gtest.h>

#include "recipe/recipes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(TransformAlternatingMoe, CutsPairsOfGateAndUp) {
  for (const GatedLayout layout : {GatedLayout::interleaved, GatedLayout::concatenated}) {
    ModelContext m = context();
    m.gated_layout = layout;
    m.moe_intermediate_dim = 96;
    const auto shapes = [&](const Shape& of) {
      return on_every_rank(m, 2,
                           [&](const ModelContext& one) { return one.transform_alternating_moe_mlp_1(stored(of)); });
    };
    EXPECT_EQ(shapes({2, 48, 192}), (std::vector<Shape>{{2, 48, 128}, {2, 48, 64}}));
    EXPECT_EQ(shapes({2, 192}), (std::vector<Shape>{{2, 128}, {2, 64}}));
  }
}

TEST(TransformAlternatingMoe, RefusesWhatHasNoPairs) {
  ModelContext m = context();
  EXPECT_TRUE(fails_with(
      [&] {
        (void)m.transform_alternating_moe_mlp_1(stored({2, 48, 7}));
      },
      Errc::shape_mismatch, {"6 along axis 2"}));
  EXPECT_TRUE(fails_with([&] { (void)m.transform_alternating_moe_mlp_1(stored({8})); }, Errc::shape_mismatch));
  m.moe_intermediate_dim = 32;
  EXPECT_TRUE(fails_with(
      [&] {
        (void)m.transform_alternating_moe_mlp_1(stored({2, 128}));
      },
      Errc::shape_mismatch, {"64 along axis 1"}));
}

}  // namespace
}  // namespace ballast::test
