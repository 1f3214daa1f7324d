#include <gtest/gtest.h>

#include "recipe/recipes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

// Heads of 16 rows, 48 columns.
std::vector<Shape> qkv_rows(std::uint64_t heads, std::uint64_t heads_kv, std::uint64_t ranks) {
  const Recipe x = stored({(heads + 2 * heads_kv) * 16, 48});
  return on_every_rank(context(heads, heads_kv), ranks, [&](const ModelContext& m) { return m.transform_qkv(x); });
}

TEST(TransformQkv, MultiHead) {
  EXPECT_EQ(qkv_rows(8, 8, 1), (std::vector<Shape>{{384, 48}}));
  EXPECT_EQ(qkv_rows(8, 8, 2), (std::vector<Shape>{{192, 48}, {192, 48}}));
  EXPECT_EQ(qkv_rows(8, 8, 3), (std::vector<Shape>{{144, 48}, {144, 48}, {96, 48}})) << "3, 3 and 2 heads of each";
}

TEST(TransformQkv, GroupedWithKeyValueHeadsThatDivide) {
  EXPECT_EQ(qkv_rows(8, 4, 2), (std::vector<Shape>{{128, 48}, {128, 48}})) << "4 + 2 + 2 heads";
}

TEST(TransformQkv, GroupedWithReplicatedKeyValueHeads) {
  EXPECT_EQ(qkv_rows(8, 2, 4), (std::vector<Shape>(4, {64, 48}))) << "2 + 1 + 1 heads";
  EXPECT_EQ(qkv_rows(6, 2, 4), (std::vector<Shape>{{64, 48}, {48, 48}, {64, 48}, {48, 48}}))
      << "groups of 3 heads over 2 ranks";
}

TEST(TransformQkv, TakesBiasesAsWeights) {
  const Recipe bias = stored({8 * 16});
  EXPECT_EQ(context(4, 2, 1, 2).transform_qkv(bias).shape(), (Shape{64}));
}

TEST(TransformQkv, ConvertsAfterwards) {
  ModelContext m = context(4, 4, 0, 2);
  m.dtype = DType::BF16;
  EXPECT_EQ(m.transform_qkv(stored({192, 48})).spec(), (TensorSpec{DType::BF16, {96, 48}}));
}

TEST(TransformQkv, RefusesRowsThatTheConfigDoesNotExplain) {
  for (const std::uint64_t ranks : {1U, 2U})
    EXPECT_TRUE(fails_with(
        [&] {
          (void)context(8, 4, 0, ranks).transform_qkv(stored({384, 48}));
        },
        Errc::shape_mismatch,
        {"the fused qkv", "expected: 256 along axis 0", "8 query and 2 x 4 key/value heads of 16",
         "got:      [384, 48]", "config.json of another model"}));
  EXPECT_TRUE(fails_with([] { (void)context(8, 4).transform_qkv(stored({})); }, Errc::shape_mismatch, {"[]"}));
}

TEST(TransformQkv, RefusesColumnsThatAreNotTheDimension) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)context(8, 4).transform_qkv(stored({256, 47}));
      },
      Errc::shape_mismatch, {"expected: 48 along axis 1 (the model dimension)", "got:      [256, 47]"}));
}

TEST(TransformQkv, RefusesHeadsThatCannotBeDivided) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)context(8, 4, 0, 3).transform_qkv(stored({256, 48}));
      },
      Errc::invalid_sharding, {"expected: 1, 2, 4 or 8 ranks"}));
}

}  // namespace
}  // namespace ballast::test
