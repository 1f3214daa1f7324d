#include <gtest/gtest.h>

#include "recipe/recipes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(ShardEndpoints, WholeDimensionOnOneRank) {
  EXPECT_EQ(shard_endpoints(4096, 0, 1), (Range{0, 4096}));
  EXPECT_EQ(shard_endpoints(0, 0, 1), (Range{0, 0}));
}

TEST(ShardEndpoints, GranularityIsThirtyTwoUnlessSaid) { EXPECT_EQ(shard_endpoints(96, 0, 2), (Range{0, 64})); }

TEST(ShardEndpoints, FirstRanksTakeOneChunkMore) {
  // 11 chunks of 32 over 4 ranks: 3, 3, 3 and 2.
  EXPECT_EQ(shard_endpoints(352, 0, 4), (Range{0, 96}));
  EXPECT_EQ(shard_endpoints(352, 1, 4), (Range{96, 192}));
  EXPECT_EQ(shard_endpoints(352, 2, 4), (Range{192, 288}));
  EXPECT_EQ(shard_endpoints(352, 3, 4), (Range{288, 352}));
}

TEST(ShardEndpoints, RanksWithoutAChunkGetNothing) {
  EXPECT_EQ(shard_endpoints(64, 1, 4), (Range{32, 64}));
  EXPECT_EQ(shard_endpoints(64, 2, 4), (Range{64, 64}));
  EXPECT_EQ(shard_endpoints(64, 3, 4).size(), 0U);
}

TEST(ShardEndpoints, RangesTileTheDimensionForEveryRankCount) {
  for (const std::uint64_t granularity : {1U, 7U, 32U, 64U})
    for (std::uint64_t chunks = 0; chunks < 20; ++chunks)
      for (std::uint64_t ranks = 1; ranks <= 17; ++ranks) {
        std::uint64_t end = 0;
        std::uint64_t largest = chunks / ranks + 1;
        for (std::uint64_t rank = 0; rank < ranks; ++rank) {
          const Range range = shard_endpoints(chunks * granularity, rank, ranks, granularity);
          EXPECT_EQ(range.begin, end);
          EXPECT_EQ(range.size() % granularity, 0U);
          EXPECT_LE(range.size() / granularity, largest) << "no rank takes more than those before it";
          largest = range.size() / granularity;
          end = range.end;
        }
        EXPECT_EQ(end, chunks * granularity);
      }
}

TEST(ShardEndpoints, DimensionsNearTheLimitDoNotOverflow) {
  constexpr std::uint64_t kMost = ~std::uint64_t{0};
  EXPECT_EQ(shard_endpoints(kMost, 2, 3, 1), (Range{kMost / 3 * 2, kMost}));
}

TEST(ShardEndpoints, RefusesRanksThatAreNotThere) {
  EXPECT_TRUE(fails_with([] { (void)shard_endpoints(64, 2, 2); }, Errc::invalid_sharding,
                         {"expected: a rank below 2", "got:      rank 2 of 2"}));
  EXPECT_TRUE(fails_with([] { (void)shard_endpoints(64, 0, 0); }, Errc::invalid_sharding,
                         {"expected: at least one rank", "got:      rank 0 of 0"}));
}

TEST(ShardEndpoints, RefusesDimensionsThatAreNoWholeChunks) {
  EXPECT_TRUE(fails_with([] { (void)shard_endpoints(100, 0, 2); }, Errc::invalid_sharding,
                         {"100 elements", "expected: a multiple of 32", "got:      100"}));
  EXPECT_TRUE(fails_with([] { (void)shard_endpoints(64, 0, 2, 0); }, Errc::invalid_sharding,
                         {"expected: a granularity of at least 1"}));
}

}  // namespace
}  // namespace ballast::test
