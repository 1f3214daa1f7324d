// Conversions on the way: each step is kept, since each rounds.
#include <gtest/gtest.h>

#include <vector>

#include "plan/emitted.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

std::vector<DType> via_of(const Copy& copy) { return {copy.via.begin(), copy.via.begin() + copy.n_via}; }

TEST(Casts, NoneMovesBytes) {
  const Emitted x = emit(stored(0, {4}, DType::BF16));
  EXPECT_EQ(x.copies.at(0).from, DType::BF16);
  EXPECT_EQ(x.copies.at(0).to, DType::BF16);
  EXPECT_FALSE(x.copies.at(0).converts());
}

TEST(Casts, OneConverts) {
  const Emitted x = emit(cast(stored(0, {4}, DType::BF16), DType::F32));
  EXPECT_EQ(x.copies.at(0).from, DType::BF16);
  EXPECT_EQ(x.copies.at(0).to, DType::F32);
  EXPECT_TRUE(x.copies.at(0).converts());
  EXPECT_TRUE(via_of(x.copies[0]).empty());
}

TEST(Casts, InARowKeepEveryStep) {
  const Emitted x = emit(cast(cast(cast(stored(0, {4}, DType::F64), DType::F32), DType::F16), DType::BF16));
  EXPECT_EQ(x.copies.at(0).from, DType::F64);
  EXPECT_EQ(via_of(x.copies[0]), (std::vector<DType>{DType::F32, DType::F16}));
  EXPECT_EQ(x.copies[0].to, DType::BF16);
}

TEST(Casts, ThereAndBackStillRounds) {
  const Emitted x = emit(cast(cast(stored(0, {4}), DType::BF16), DType::F32));
  EXPECT_EQ(x.copies.at(0).from, x.copies[0].to);
  EXPECT_TRUE(x.copies[0].converts());
}

TEST(Casts, TooManyInARowAreRefused) {
  Recipe x = stored(0, {4});
  for (const DType dtype : {DType::F16, DType::BF16, DType::F16, DType::F32}) x = cast(x, dtype);
  EXPECT_TRUE(fails_with([&] { (void)emit(x); }, Errc::recipe_invalid, {"too many casts in a row"}));
}

TEST(Casts, PartsAreConvertedFromWhatTheyWere) {
  const Emitted x = emit(concat(0, cast(stored(0, {4}), DType::BF16), stored(1, {4}, DType::BF16)));
  ASSERT_EQ(x.copies.size(), 2U);
  EXPECT_TRUE(x.copies[0].converts());
  EXPECT_FALSE(x.copies[1].converts());
}

}  // namespace
}  // namespace ballast::test
