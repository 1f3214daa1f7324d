// Blocks of a quantised type: moved whole, never cut, decoded at any element.
#include <gtest/gtest.h>

#include "plan/emitted.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

testing::AssertionResult cuts_a_block(const Recipe& x, std::string_view type = "Q8_0") {
  return fails_with([&] { (void)emit(x); }, Errc::dtype_unsupported, {type, "inside a block"});
}

Recipe q8_0(std::uint32_t source, const Shape& shape) { return stored(source, shape, DType::Q8_0); }

TEST(BlockDTypes, RowsMove) {
  const Emitted x = emit(concat(0, slice(q8_0(0, {4, 64}), 0, 1, 3), q8_0(1, {4, 64})));
  ASSERT_EQ(x.copies.size(), 2U);
  EXPECT_EQ(x.copies[0].src_begin, 64U);
  EXPECT_FALSE(x.copies[0].converts());
}

TEST(BlockDTypes, WholeBlocksOfColumnsMove) {
  const Emitted x = emit(slice(q8_0(0, {4, 96}), 1, 32, 96));
  ASSERT_EQ(x.copies.size(), 1U);
  EXPECT_EQ(loops_of(x.copies[0]), (std::vector<CopyDim>{{4, 96, 64}, {64, 1, 1}}));
}

TEST(BlockDTypes, RowsInAnotherOrderMove) {
  EXPECT_EQ(emit(interleave(0, q8_0(0, {4, 64}), q8_0(1, {4, 64}))).copies.size(), 2U);
  EXPECT_EQ(emit(transpose(reshape(q8_0(0, {6, 64}), {2, 3, 64}), 0, 1)).copies.size(), 1U);
}

TEST(BlockDTypes, BlocksAreNotCut) {
  EXPECT_TRUE(cuts_a_block(slice(q8_0(0, {4, 64}), 1, 16, 48)));
  EXPECT_TRUE(cuts_a_block(slice(q8_0(0, {4, 64}), 1, 0, 16)));
  EXPECT_TRUE(cuts_a_block(slice(q8_0(0, {4, 64}), 1, 7, 8)));
  EXPECT_TRUE(cuts_a_block(transpose(q8_0(0, {64, 64}), 0, 1)));
  EXPECT_TRUE(cuts_a_block(interleave(1, q8_0(0, {4, 64}), q8_0(1, {4, 64}))));
  EXPECT_TRUE(cuts_a_block(slice(stored(0, {4, 512}, DType::Q4_K), 1, 0, 32), "Q4_K"));
}

TEST(BlockDTypes, NorAreThoseOfSmallFloats) {
  EXPECT_TRUE(cuts_a_block(slice(stored(0, {8}, DType::F4), 0, 1, 3), "F4"));
  EXPECT_EQ(emit(slice(stored(0, {8}, DType::F4), 0, 2, 6)).copies.size(), 1U);
  EXPECT_TRUE(cuts_a_block(slice(stored(0, {8}, DType::F6_E2M3), 0, 0, 2), "F6_E2M3"));
}

TEST(BlockDTypes, NorAreThoseOfTheTarget) {
  // Half a block, then whole ones: these would lie across the blocks of the target.
  EXPECT_TRUE(cuts_a_block(concat(0, slice(q8_0(0, {32}), 0, 0, 16), q8_0(1, {64}), slice(q8_0(0, {32}), 0, 16, 32))));
}

TEST(BlockDTypes, DecodedValuesMayBeCutAnywhere) {
  for (const Recipe& x :
       {slice(cast(q8_0(0, {4, 64}), DType::F16), 1, 5, 17), cast(slice(q8_0(0, {4, 64}), 1, 5, 17), DType::F16)}) {
    const Emitted emitted = emit(x);
    ASSERT_EQ(emitted.copies.size(), 1U);
    EXPECT_EQ(emitted.copies[0].src_begin, 5U);
    EXPECT_EQ(loops_of(emitted.copies[0]), (std::vector<CopyDim>{{4, 64, 12}, {12, 1, 1}}));
    EXPECT_EQ(emitted.copies[0].from, DType::Q8_0);
  }
  EXPECT_EQ(emit(transpose(cast(q8_0(0, {4, 64}), DType::F32), 0, 1)).copies.size(), 1U);
}

TEST(BlockDTypes, RangesInTheFileAreWholeBlocks) {
  Copy copy = emit(slice(cast(q8_0(0, {4, 64}), DType::F16), 1, 5, 17)).copies.at(0);
  copy.src_base = 1000;
  EXPECT_EQ(copy.file_begin(), 1000U);
  EXPECT_EQ(copy.file_end(), 1000U + 7 * 34);  // the last element is in the first block of the last row
}

}  // namespace
}  // namespace ballast::test
