// What would fall into very many copies is refused; it is what custom operations are for.
#include <gtest/gtest.h>

#include "plan/emitted.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(TooManyPieces, AreRefused) {
  // Columns counted as rows again at a cut that no column ends at.
  constexpr std::uint64_t kOdd = 70'001;
  const Recipe x = reshape(transpose(stored(0, {2, kOdd}), 0, 1), {2, kOdd});
  EXPECT_TRUE(fails_with([&] { (void)emit(x); }, Errc::recipe_invalid, {"too many pieces", "custom()"}));
}

TEST(TooManyPieces, FewerOfTheSameKindAreNot) {
  constexpr std::uint64_t kOdd = 7'001;
  const Emitted x = emit(reshape(transpose(stored(0, {2, kOdd}), 0, 1), {2, kOdd}));
  EXPECT_LE(x.copies.size(), kOdd + 1);
  const Placed placed = run(x.copies, 2 * kOdd);
  EXPECT_EQ(placed.written_again, 0U);
  EXPECT_EQ(placed.elements[1], std::uint64_t{kOdd});  // element [0, 1] of the transposed is [1, 0] of the stored
}

TEST(TooManyPieces, TooManyLoopsAreRefused) {
  // Ten axes of two, in an order in which no two can be merged.
  const Recipe x = permute(stored(0, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2}), {9, 8, 7, 6, 5, 4, 3, 2, 1, 0});
  EXPECT_TRUE(fails_with([&] { (void)emit(x); }, Errc::recipe_invalid, {"nested loops", "at most 8", "10"}));
}

TEST(TooManyPieces, AsManyAxesAsAShapeHasAreNot) {
  const Recipe x = transpose(stored(0, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}), 0, 15);
  EXPECT_EQ(emit(x).copies.size(), 1U);
}

TEST(TooManyPieces, TooManySplitAxesAreRefused) {
  Recipe x = stored(0, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2});
  for (const std::uint64_t axis : {0U, 1U, 2U, 3U}) x = interleave(axis, x, x);
  EXPECT_TRUE(fails_with([&] { (void)emit(x); }, Errc::recipe_invalid, {"splits axes too often"}));
}

}  // namespace
}  // namespace ballast::test
