#include <gtest/gtest.h>

#include "recipe/recipes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

struct Row {
  Range q, kv;
};

void expect_heads(std::uint64_t q, std::uint64_t kv, const std::vector<Row>& rows) {
  for (std::uint64_t rank = 0; rank < rows.size(); ++rank) {
    const HeadShard shard = shard_heads(q, kv, rank, rows.size());
    EXPECT_EQ(shard.q, rows[rank].q) << "rank " << rank;
    EXPECT_EQ(shard.kv, rows[rank].kv) << "rank " << rank;
  }
}

TEST(ShardHeads, MultiHeadEvenly) { expect_heads(8, 8, {{{0, 4}, {0, 4}}, {{4, 8}, {4, 8}}}); }

TEST(ShardHeads, MultiHeadUnevenly) {
  expect_heads(8, 8, {{{0, 3}, {0, 3}}, {{3, 6}, {3, 6}}, {{6, 8}, {6, 8}}});
  expect_heads(3, 3, {{{0, 2}, {0, 2}}, {{2, 3}, {2, 3}}});
}

TEST(ShardHeads, GroupedWithKeyValueHeadsThatDivide) {
  expect_heads(8, 4, {{{0, 4}, {0, 2}}, {{4, 8}, {2, 4}}});
  expect_heads(8, 4, {{{0, 2}, {0, 1}}, {{2, 4}, {1, 2}}, {{4, 6}, {2, 3}}, {{6, 8}, {3, 4}}});
}

TEST(ShardHeads, GroupedWithReplicatedKeyValueHeads) {
  expect_heads(8, 2, {{{0, 2}, {0, 1}}, {{2, 4}, {0, 1}}, {{4, 6}, {1, 2}}, {{6, 8}, {1, 2}}});
}

TEST(ShardHeads, FirstRanksOfAGroupTakeOneQueryHeadMore) {
  // 3 query heads a group, over 2 ranks each.
  expect_heads(6, 2, {{{0, 2}, {0, 1}}, {{2, 3}, {0, 1}}, {{3, 5}, {1, 2}}, {{5, 6}, {1, 2}}});
  // 7 query heads and one key/value head over 3 ranks.
  expect_heads(7, 1, {{{0, 3}, {0, 1}}, {{3, 5}, {0, 1}}, {{5, 7}, {0, 1}}});
}

TEST(ShardHeads, WholeModelOnOneRank) {
  expect_heads(32, 8, {{{0, 32}, {0, 8}}});
  expect_heads(7, 1, {{{0, 7}, {0, 1}}});
}

TEST(ShardHeads, RanksCoverAllQueryHeadsInOrder) {
  for (const auto& [q, kv] : {std::pair{12U, 12U}, {12U, 4U}, {12U, 3U}, {12U, 1U}, {14U, 2U}, {64U, 8U}})
    for (std::uint64_t ranks = 1; ranks <= q; ++ranks) {
      if (q != kv && (kv >= ranks ? kv % ranks : ranks % kv) != 0) continue;
      std::uint64_t end = 0;
      for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        const HeadShard shard = shard_heads(q, kv, rank, ranks);
        EXPECT_EQ(shard.q.begin, end);
        EXPECT_GT(shard.q.size(), 0U);
        // The key/value heads of this rank are those that its query heads use.
        EXPECT_EQ(shard.kv.begin, shard.q.begin / (q / kv));
        EXPECT_EQ(shard.kv.end, (shard.q.end - 1) / (q / kv) + 1);
        end = shard.q.end;
      }
      EXPECT_EQ(end, q);
    }
}

TEST(ShardHeads, RefusesMoreRanksThanQueryHeads) {
  EXPECT_TRUE(fails_with([] { (void)shard_heads(4, 4, 0, 5); }, Errc::invalid_sharding,
                         {"4 query and 4 key/value heads", "5 ranks", "expected: any number of ranks from 1 to 4"}));
  EXPECT_TRUE(fails_with([] { (void)shard_heads(4, 2, 0, 8); }, Errc::invalid_sharding,
                         {"4 query and 2 key/value heads", "expected: 1, 2 or 4 ranks", "got:      8 ranks"}));
}

TEST(ShardHeads, RefusesKeyValueHeadsThatDoNotDivide) {
  EXPECT_TRUE(fails_with([] { (void)shard_heads(16, 8, 0, 3); }, Errc::invalid_sharding,
                         {"16 query and 8 key/value heads", "expected: 1, 2, 4, 8 or 16 ranks", "got:      3 ranks"}));
}

TEST(ShardHeads, RefusesRanksThatAreNoMultipleOfKeyValueHeads) {
  EXPECT_TRUE(fails_with([] { (void)shard_heads(9, 3, 0, 4); }, Errc::invalid_sharding,
                         {"9 query and 3 key/value heads", "expected: 1, 3, 6 or 9 ranks", "got:      4 ranks"}));
}

TEST(ShardHeads, NamesTheOnlyCountThatWorks) {
  EXPECT_TRUE(fails_with([] { (void)shard_heads(1, 1, 0, 2); }, Errc::invalid_sharding, {"from 1 to 1"}));
}

TEST(ShardHeads, RefusesHeadsThatFormNoGroups) {
  EXPECT_TRUE(fails_with([] { (void)shard_heads(7, 2, 0, 1); }, Errc::invalid_sharding,
                         {"7 query heads cannot share 2 key/value heads", "got:      7 and 2"}));
  EXPECT_TRUE(fails_with([] { (void)shard_heads(8, 0, 0, 1); }, Errc::invalid_sharding, {"got:      8 and 0"}));
}

TEST(ShardHeads, RefusesRanksThatAreNotThere) {
  EXPECT_TRUE(fails_with([] { (void)shard_heads(8, 8, 4, 4); }, Errc::invalid_sharding, {"rank 4 of 4"}));
}

TEST(ShardHeads, AbsurdHeadCountsAreRefusedQuickly) {
  EXPECT_TRUE(fails_with([] { (void)shard_heads(~std::uint64_t{0} - 1, 2, 0, 3); }, Errc::invalid_sharding));
}

}  // namespace
}  // namespace ballast::test
