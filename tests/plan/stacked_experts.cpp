// Experts one after the other: each is one copy, also where it is turned on the way.
#include <gtest/gtest.h>

#include <vector>

#include "plan/dense.hpp"
#include "plan/emitted.hpp"

namespace ballast::test {
namespace {

TEST(StackedExperts, AreOneRunEach) {
  const std::vector<Recipe> experts{stored(0, {4, 6}), stored(1, {4, 6}), stored(2, {4, 6})};
  const Emitted x = emit(stack(experts));
  ASSERT_EQ(x.copies.size(), 3U);
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(x.copies[i].dst_begin, i * 24U);
    EXPECT_EQ(loops_of(x.copies[i]), (std::vector<CopyDim>{{24, 1, 1}}));
  }
}

TEST(StackedExperts, TransposedAreOneCopyEach) {
  const std::vector<Recipe> experts{stored(0, {4, 6}), stored(1, {4, 6}), stored(2, {4, 6})};
  const Emitted x = emit(transpose(stack(experts), 1, 2));
  ASSERT_EQ(x.copies.size(), 3U);
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(x.copies[i].dst_begin, i * 24U);
    EXPECT_EQ(loops_of(x.copies[i]), (std::vector<CopyDim>{{4, 6, 1}, {6, 1, 4}}));
  }
}

TEST(StackedExperts, InterleavedAndTransposedAreOneCopyOfEachTensor) {
  const std::vector<Recipe> gates{stored(0, {32, 6}), stored(1, {32, 6})}, ups{stored(2, {32, 6}), stored(3, {32, 6})};
  const Emitted x = emit(ModelContext().transform_gated_moe_mlp_1(stack(gates), stack(ups)));
  EXPECT_EQ(x.copies.size(), 4U);
  EXPECT_EQ(x.spec.shape, (Shape{2, 6, 64}));
  std::vector<std::uint64_t> expected;
  for (std::uint32_t e = 0; e < 2; ++e)
    for (std::uint64_t in = 0; in < 6; ++in)
      for (std::uint64_t out = 0; out < 64; ++out)
        expected.push_back(element_number(e + (out % 2 == 0 ? 0U : 2U), out / 2 * 6 + in));
  EXPECT_TRUE(places(x, expected));
}

}  // namespace
}  // namespace ballast::test
