// Checkpoints that store the rows of heads in another order.
#include <gtest/gtest.h>

#include <vector>

#include "plan/dense.hpp"
#include "plan/emitted.hpp"

namespace ballast::test {
namespace {

constexpr std::uint64_t kHeadSize = 4, kDim = 6;
using Rows = std::vector<std::uint64_t>;

ModelContext context_of(std::uint64_t heads, std::uint64_t heads_kv) {
  ModelContext m;
  m.model_dim = kDim;
  m.n_heads = heads;
  m.n_heads_kv = heads_kv;
  m.head_size = kHeadSize;
  return m;
}

void add_head(Rows& rows, std::uint64_t stored_head) {
  for (std::uint64_t r = 0; r < kHeadSize; ++r) rows.push_back(stored_head * kHeadSize + r);
}

TEST(RowOrders, GgufRopePairsBecomeHalves) {
  constexpr std::uint64_t kHeads = 3;
  const Emitted x = emit(context_of(kHeads, kHeads).from_gguf_rope(stored(0, {kHeads * kHeadSize, kDim}), kHeads));
  Rows rows;  // the first of each pair of a head, then the second of each
  for (std::uint64_t head = 0; head < kHeads; ++head)
    for (std::uint64_t second = 0; second < 2; ++second)
      for (std::uint64_t pair = 0; pair < kHeadSize / 2; ++pair) rows.push_back(head * kHeadSize + pair * 2 + second);
  EXPECT_TRUE(places(x, rows_of(0, kDim, rows)));
  EXPECT_EQ(x.copies.size(), 1U);
}

TEST(RowOrders, MegatronHeadByHead) {
  constexpr std::uint64_t kHeads = 5;
  const Emitted x = emit(context_of(kHeads, kHeads).from_megatron_qkv(stored(0, {3 * kHeads * kHeadSize, kDim})));
  Rows rows;
  for (std::uint64_t part = 0; part < 3; ++part)
    for (std::uint64_t head = 0; head < kHeads; ++head) add_head(rows, head * 3 + part);
  EXPECT_TRUE(places(x, rows_of(0, kDim, rows)));
  EXPECT_EQ(x.copies.size(), 1U);
}

// The stored heads of some groups, as "all q heads, all k heads, all v heads".
Rows grouped_rows(std::uint64_t group, std::uint64_t first_group, std::uint64_t end_group) {
  Rows rows;
  for (std::uint64_t g = first_group; g < end_group; ++g)
    for (std::uint64_t q = 0; q < group; ++q) add_head(rows, g * (group + 2) + q);
  for (std::uint64_t part = 0; part < 2; ++part)
    for (std::uint64_t g = first_group; g < end_group; ++g) add_head(rows, g * (group + 2) + group + part);
  return rows;
}

TEST(RowOrders, MegatronGroupByGroup) {
  const ModelContext m = context_of(12, 4);
  const Emitted x = emit(m.from_megatron_gqa(stored(0, {20 * kHeadSize, kDim})));
  EXPECT_TRUE(places(x, rows_of(0, kDim, grouped_rows(3, 0, 4))));
  EXPECT_LE(x.copies.size(), 3U * 4);  // for each group at most its q heads, its k and its v head
}

TEST(RowOrders, MegatronBias) {
  const Emitted x = emit(context_of(12, 4).from_megatron_gqa(stored(0, {20 * kHeadSize})));
  EXPECT_TRUE(places(x, rows_of(0, 1, grouped_rows(3, 0, 4))));
}

TEST(RowOrders, MegatronOfARank) {
  ModelContext m = context_of(12, 4);
  m.tp_size = 2;
  for (m.tp_rank = 0; m.tp_rank < 2; ++m.tp_rank) {
    const Emitted x = emit(m.transform_qkv(m.from_megatron_gqa(stored(0, {20 * kHeadSize, kDim}))));
    EXPECT_TRUE(places(x, rows_of(0, kDim, grouped_rows(3, 2 * m.tp_rank, 2 * m.tp_rank + 2))));
    EXPECT_LE(x.copies.size(), 3U * 2) << "rank " << m.tp_rank;
  }
}

TEST(RowOrders, MegatronHeadByHeadOfUnevenRanks) {
  ModelContext m = context_of(5, 5);
  m.tp_size = 2;
  const std::uint64_t begins[] = {0, 3, 5};
  for (m.tp_rank = 0; m.tp_rank < 2; ++m.tp_rank) {
    Rows rows;
    for (std::uint64_t part = 0; part < 3; ++part)
      for (std::uint64_t head = begins[m.tp_rank]; head < begins[m.tp_rank + 1]; ++head)
        add_head(rows, head * 3 + part);
    const Emitted x = emit(m.transform_qkv(m.from_megatron_qkv(stored(0, {15 * kHeadSize, kDim}))));
    EXPECT_TRUE(places(x, rows_of(0, kDim, rows)));
  }
}

}  // namespace
}  // namespace ballast::test
