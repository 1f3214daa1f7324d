// Fused and sharded matrices: as few copies as there are stored tensors, each as long a run as it can be.
#include <gtest/gtest.h>

#include <vector>

#include "plan/emitted.hpp"

namespace ballast::test {
namespace {

constexpr std::uint64_t kDim = 24, kHeadSize = 4;

ModelContext context_of(std::uint64_t heads, std::uint64_t heads_kv, std::uint64_t rank = 0, std::uint64_t ranks = 1) {
  ModelContext m;
  m.model_dim = kDim;
  m.n_heads = heads;
  m.n_heads_kv = heads_kv;
  m.head_size = kHeadSize;
  m.tp_rank = rank;
  m.tp_size = ranks;
  return m;
}

Recipe fused_qkv(const ModelContext& m) {
  return m.transform_qkv(concat(0, stored(0, {m.n_heads * kHeadSize, kDim}),
                                stored(1, {m.n_heads_kv * kHeadSize, kDim}),
                                stored(2, {m.n_heads_kv * kHeadSize, kDim})));
}

TEST(FusedRows, QkvIsOneRunOfEachTensor) {
  const Emitted x = emit(fused_qkv(context_of(6, 2)));
  ASSERT_EQ(x.copies.size(), 3U);
  const std::uint64_t begins[] = {0, 24 * kDim, 32 * kDim}, counts[] = {24 * kDim, 8 * kDim, 8 * kDim};
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(x.copies[i].source, i);
    EXPECT_EQ(x.copies[i].src_begin, 0U);
    EXPECT_EQ(x.copies[i].dst_begin, begins[i]);
    EXPECT_EQ(loops_of(x.copies[i]), (std::vector<CopyDim>{{counts[i], 1, 1}}));
  }
}

TEST(FusedRows, QkvOfARankIsOneRunOfEachTensor) {
  const Emitted x = emit(fused_qkv(context_of(6, 2, 1, 2)));
  ASSERT_EQ(x.copies.size(), 3U);
  const std::uint64_t begins[] = {12 * kDim, 4 * kDim, 4 * kDim};
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(x.copies[i].src_begin, begins[i]);
    EXPECT_EQ(loops_of(x.copies[i]), (std::vector<CopyDim>{{begins[i], 1, 1}}));
  }
}

TEST(FusedRows, ABiasIsFusedAlike) {
  const Emitted x = emit(context_of(6, 2).transform_qkv(concat(0, stored(0, {24}), stored(1, {8}), stored(2, {8}))));
  ASSERT_EQ(x.copies.size(), 3U);
  EXPECT_EQ(x.copies[2].dst_begin, 32U);
  EXPECT_EQ(loops_of(x.copies[2]), (std::vector<CopyDim>{{8, 1, 1}}));
}

TEST(FusedRows, AColumnShardIsOneCopyOfRowPieces) {
  const Emitted x = emit(shard(stored(0, {8, 16}), 1, 1, 4, 4));
  ASSERT_EQ(x.copies.size(), 1U);
  EXPECT_EQ(x.copies[0].src_begin, 4U);
  EXPECT_EQ(x.copies[0].dst_begin, 0U);
  EXPECT_EQ(loops_of(x.copies[0]), (std::vector<CopyDim>{{8, 16, 4}, {4, 1, 1}}));
}

TEST(FusedRows, AllColumnsAreOneRun) {
  const Emitted x = emit(shard(stored(0, {8, 16}), 1, 0, 1, 4));
  ASSERT_EQ(x.copies.size(), 1U);
  EXPECT_EQ(loops_of(x.copies[0]), (std::vector<CopyDim>{{128, 1, 1}}));
}

TEST(FusedRows, AScalarHasNoLoops) {
  const Emitted x = emit(stored(0, {}));
  ASSERT_EQ(x.copies.size(), 1U);
  EXPECT_EQ(x.copies[0].n_dims, 0U);
  EXPECT_EQ(x.copies[0].elements(), 1U);
}

TEST(FusedRows, NoElementsAreNoCopies) {
  EXPECT_TRUE(emit(stored(0, {4, 0})).copies.empty());
  EXPECT_TRUE(emit(shard(stored(0, {2, 8}), 0, 2, 3, 1)).copies.empty());
  // ... also beside some that are.
  const Emitted x = emit(concat(0, stored(0, {0, 3}), stored(1, {2, 3}), stored(2, {0, 3})));
  ASSERT_EQ(x.copies.size(), 1U);
  EXPECT_EQ(x.copies[0].source, 1U);
  EXPECT_EQ(x.copies[0].dst_begin, 0U);
}

}  // namespace
}  // namespace ballast::test
