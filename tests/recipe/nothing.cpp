#include <gtest/gtest.h>

#include "recipe/recipes.hpp"

namespace ballast::test {
namespace {

TEST(Nothing, CanBeToldFromATensor) {
  EXPECT_TRUE(Recipe::nothing().is_nothing());
  EXPECT_FALSE(stored({}).is_nothing());
  EXPECT_FALSE(stored({0}).is_nothing()) << "a tensor without elements is a tensor";
}

TEST(Source, KnowsWhereItComesFrom) {
  const Recipe x = Recipe::source(2, 7, {DType::BF16, {8, 3}});
  EXPECT_EQ(x.node()->dependency, 2U);
  EXPECT_EQ(x.node()->element, 7U);
  EXPECT_EQ(to_string(x.spec()), "BF16 [8, 3]");
  EXPECT_EQ(x.rank(), 2U);
}

}  // namespace
}  // namespace ballast::test
