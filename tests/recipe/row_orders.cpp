// Reorderings of rows keep the shape; that they put the rows where they belong is proved where values are loaded.
#include <gtest/gtest.h>

#include "recipe/recipes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(FromMegatronQkv, KeepsTheShape) {
  EXPECT_EQ(context(4, 4).from_megatron_qkv(stored({192, 48}, DType::F16)).spec(), (TensorSpec{DType::F16, {192, 48}}));
  EXPECT_EQ(context(4, 4).from_megatron_qkv(stored({192})).shape(), (Shape{192}));
}

TEST(FromMegatronQkv, RefusesRowsThatAreNoHeads) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)context(4, 4).from_megatron_qkv(stored({190, 48}));
      },
      Errc::shape_mismatch, {"the head-by-head qkv", "expected: 192 along axis 0 (3 x 4 heads of 16)"}));
}

TEST(FromMegatronGqa, KeepsTheShape) {
  EXPECT_EQ(context(8, 2).from_megatron_gqa(stored({192, 48})).shape(), (Shape{192, 48}));
  EXPECT_EQ(context(8, 2).from_megatron_gqa(stored({192})).shape(), (Shape{192}));
}

TEST(FromMegatronGqa, RefusesRowsThatAreNoGroups) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)context(8, 2).from_megatron_gqa(stored({384, 48}));
      },
      Errc::shape_mismatch,
      {"the group-by-group qkv", "192 along axis 0 (2 groups of 4 query heads, a key and a value head of 16)"}));
}

TEST(FromMegatronGqa, RefusesHeadsThatFormNoGroups) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)context(8, 0).from_megatron_gqa(stored({128, 48}));
      },
      Errc::invalid_sharding, {"8 and 0"}));
  EXPECT_TRUE(fails_with(
      [] {
        (void)context(8, 3).from_megatron_gqa(stored({224, 48}));
      },
      Errc::invalid_sharding, {"8 and 3"}));
}

TEST(FromGgufRope, KeepsTheShape) {
  EXPECT_EQ(context(8, 2).from_gguf_rope(stored({32, 48}), 2).shape(), (Shape{32, 48}));
  EXPECT_EQ(context(8, 2).from_gguf_rope(stored({128}), 8).shape(), (Shape{128}));
}

TEST(FromGgufRope, RefusesRowsThatAreNoHeads) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)context(8, 2).from_gguf_rope(stored({128, 48}), 2);
      },
      Errc::shape_mismatch, {"expected: 32 along axis 0 (2 heads of 16)", "got:      [128, 48]"}));
}

TEST(FromGgufRope, RefusesHeadsThatHaveNoPairs) {
  ModelContext m = context(8, 2);
  m.head_size = 15;
  EXPECT_TRUE(fails_with([&] { (void)m.from_gguf_rope(stored({30, 48}), 2); }, Errc::shape_mismatch));
}

}  // namespace
}  // namespace ballast::test
