#include <gtest/gtest.h>

#include "recipe/recipes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(Shard, TakesTheRanksPartOfAnAxis) {
  const Recipe x = stored({160, 96}, DType::BF16);
  EXPECT_EQ(shard(x, 0, 0, 2, 32).spec(), (TensorSpec{DType::BF16, {96, 96}}));
  EXPECT_EQ(shard(x, 0, 1, 2, 32).spec(), (TensorSpec{DType::BF16, {64, 96}}));
  EXPECT_EQ(shard(x, 1, 3, 4, 32).spec(), (TensorSpec{DType::BF16, {160, 0}})) << "three chunks for four ranks";
  EXPECT_EQ(shard(x, 0, 1, 2, 32).node()->begin, 96U);
}

TEST(Shard, OnOneRankIsTheOperand) {
  const Recipe x = stored({160});
  EXPECT_EQ(shard(x, 0, 0, 1, 32).node(), x.node());
}

TEST(Shard, RefusesWhatCannotBeCut) {
  EXPECT_TRUE(fails_with([] { (void)shard(stored({100}), 0, 0, 2, 32); }, Errc::invalid_sharding,
                         {"expected: a multiple of 32", "got:      100"}));
  EXPECT_TRUE(fails_with([] { (void)shard(stored({64}), 0, 2, 2, 32); }, Errc::invalid_sharding, {"rank 2 of 2"}));
}

TEST(Shard, RefusesAnAxisThatIsNotThere) {
  EXPECT_TRUE(
      fails_with([] { (void)shard(stored({64}), 1, 0, 2, 32); }, Errc::recipe_invalid, {"shard: there is no axis 1"}));
}

TEST(Shard, RefusesWhatHoldsNothing) {
  EXPECT_TRUE(fails_with([] { (void)shard(Recipe::nothing(), 0, 0, 2, 32); }, Errc::recipe_invalid, {"holds nothing"}));
}

}  // namespace
}  // namespace ballast::test
