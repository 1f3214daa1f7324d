#include <gtest/gtest.h>

#include "recipe/recipes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(Auxiliaries, TravelWithTheRecipeInOrder) {
  const Recipe x = stored({8, 3}).with_aux("scales", stored({8})).with_aux("zeros", stored({8}, DType::U8));
  ASSERT_EQ(x.aux().size(), 2U);
  EXPECT_EQ(x.aux()[0].first, "scales");
  EXPECT_EQ(x.aux()[0].second.shape(), (Shape{8}));
  EXPECT_EQ(x.aux()[1].first, "zeros");
  EXPECT_EQ(x.aux()[1].second.dtype(), DType::U8);
  EXPECT_EQ(x.shape(), (Shape{8, 3}));
}

TEST(Auxiliaries, LeaveTheRecipeThatTheyWereAddedToAlone) {
  const Recipe plain = stored({8});
  const Recipe scaled = plain.with_aux("scales", stored({1}));
  (void)scaled.with_aux("zeros", stored({1}));
  EXPECT_TRUE(plain.aux().empty());
  EXPECT_EQ(scaled.aux().size(), 1U);
}

TEST(Auxiliaries, AreDroppedByOperations) {
  const Recipe scaled = stored({8, 3}).with_aux("scales", stored({8}));
  EXPECT_TRUE(slice(scaled, 0, 0, 4).aux().empty());
  EXPECT_TRUE(slice(scaled, 0, 0, 8).aux().empty()) << "also where the operation has nothing to do";
  EXPECT_TRUE(cast(scaled, DType::F32).aux().empty());
}

TEST(Auxiliaries, MayNotShareAName) {
  const Recipe scaled = stored({8}).with_aux("scales", stored({1}));
  EXPECT_TRUE(fails_with([&] { (void)scaled.with_aux("scales", stored({2})); }, Errc::aux_clash, {"'scales'"}));
}

}  // namespace
}  // namespace ballast::test
