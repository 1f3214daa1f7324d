#include <gtest/gtest.h>

#include "recipe/recipes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(TransformMlp1, CutsRowsInChunksOf32) {
  const auto rows = [](std::uint64_t ranks) {
    return on_every_rank(context(), ranks, [](const ModelContext& m) { return m.transform_mlp_1(stored({160, 48})); });
  };
  EXPECT_EQ(rows(1), (std::vector<Shape>{{160, 48}}));
  EXPECT_EQ(rows(2), (std::vector<Shape>{{96, 48}, {64, 48}}));
  EXPECT_EQ(rows(4), (std::vector<Shape>{{64, 48}, {32, 48}, {32, 48}, {32, 48}}));
}

TEST(TransformMlp1, CutsBiasesAsWeights) {
  EXPECT_EQ(context(8, 8, 1, 2).transform_mlp_1(stored({160})).shape(), (Shape{64}));
}

TEST(TransformMlp1, NeedsWholeChunksOnlyWhereItIsCut) {
  EXPECT_EQ(context(8, 8).transform_mlp_1(stored({100, 48})).shape(), (Shape{100, 48}));
  EXPECT_TRUE(fails_with(
      [] {
        (void)context(8, 8, 0, 2).transform_mlp_1(stored({100, 48}));
      },
      Errc::invalid_sharding, {"expected: a multiple of 32", "got:      100"}));
}

TEST(TransformGatedMlp1, HasTheRowsOfBothInEitherLayout) {
  const Recipe gate = stored({160, 48}), up = stored({160, 48});
  for (const GatedLayout layout : {GatedLayout::interleaved, GatedLayout::concatenated}) {
    ModelContext m = context();
    m.gated_layout = layout;
    const auto rows = [&](std::uint64_t ranks) {
      return on_every_rank(m, ranks, [&](const ModelContext& at) { return at.transform_gated_mlp_1(gate, up); });
    };
    EXPECT_EQ(rows(1), (std::vector<Shape>{{320, 48}}));
    EXPECT_EQ(rows(2), (std::vector<Shape>{{192, 48}, {128, 48}})) << "chunks of 64";
    EXPECT_EQ(rows(6), (std::vector<Shape>{{64, 48}, {64, 48}, {64, 48}, {64, 48}, {64, 48}, {0, 48}}));
  }
}

TEST(TransformGatedMlp1, CutsBiasesAsWeights) {
  EXPECT_EQ(context(8, 8, 1, 2).transform_gated_mlp_1(stored({160}), stored({160})).shape(), (Shape{128}));
}

TEST(TransformGatedMlp1, RefusesGateAndUpThatDiffer) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)context(8, 8).transform_gated_mlp_1(stored({160, 48}), stored({192, 48}));
      },
      Errc::shape_mismatch, {"expected: F32 [160, 48]", "got:      F32 [192, 48]"}));
}

TEST(TransformMlp2, CutsColumnsInChunksOf32) {
  const auto columns = [](std::uint64_t ranks) {
    return on_every_rank(context(), ranks, [](const ModelContext& m) { return m.transform_mlp_2(stored({48, 160})); });
  };
  EXPECT_EQ(columns(1), (std::vector<Shape>{{48, 160}}));
  EXPECT_EQ(columns(2), (std::vector<Shape>{{48, 96}, {48, 64}}));
}

TEST(TransformMlp2, BiasLivesOnRankZero) {
  EXPECT_EQ(context(8, 8, 0, 2).transform_mlp_2(stored({48})).shape(), (Shape{48}));
  EXPECT_TRUE(context(8, 8, 1, 2).transform_mlp_2(stored({48})).is_nothing());
}

TEST(TransformMlp2, RefusesColumnsThatAreNoWholeChunks) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)context(8, 8, 0, 2).transform_mlp_2(stored({48, 100}));
      },
      Errc::invalid_sharding, {"expected: a multiple of 32"}));
}

TEST(TransformMlp, RefusesWhatTheConfigDoesNotExplain) {
  ModelContext m = context();
  EXPECT_TRUE(fails_with(
      [&] {
        (void)m.transform_mlp_1(stored({160, 40}));
      },
      Errc::shape_mismatch, {"the first MLP matrix", "expected: 48 along axis 1 (the model dimension)"}));
  EXPECT_TRUE(fails_with(
      [&] {
        (void)m.transform_mlp_2(stored({40, 160}));
      },
      Errc::shape_mismatch, {"the second MLP matrix", "expected: 48 along axis 0 (the model dimension)"}));
  m.intermediate_dim = 192;
  EXPECT_TRUE(fails_with(
      [&] {
        (void)m.transform_gated_mlp_1(stored({160, 48}), stored({192, 48}));
      },
      Errc::shape_mismatch, {"the gate projection", "192 along axis 0 (the intermediate dimension)"}));
  EXPECT_TRUE(fails_with(
      [&] {
        (void)m.transform_gated_mlp_1(stored({192, 48}), stored({160, 48}));
      },
      Errc::shape_mismatch, {"the up projection", "192 along axis 0"}));
  EXPECT_TRUE(fails_with([&] { (void)m.transform_mlp_1(stored({160})); }, Errc::shape_mismatch, {"got:      [160]"}));
}

}  // namespace
}  // namespace ballast::test
