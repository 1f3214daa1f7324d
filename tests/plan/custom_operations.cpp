// Custom operations: operands are put together in scratch memory, the result goes from there to where it belongs.
#include <gtest/gtest.h>

#include <vector>

#include "plan/emitted.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

void do_nothing(std::span<const std::span<const std::byte>>, std::span<std::byte>) {}

Recipe mixed(std::string name, std::vector<Recipe> operands, const TensorSpec& out) {
  return custom(std::move(name), operands, out, do_nothing);
}

TEST(CustomOperations, OperandsAreMadeInScratch) {
  const Emitted x =
      emit(mixed("mix", {slice(stored(0, {8, 3}), 0, 2, 4), stored(1, {5}, DType::U8)}, {DType::F16, {7}}));
  ASSERT_EQ(x.plan.scratch.size(), 3U);
  EXPECT_EQ(x.plan.scratch[0].spec, (TensorSpec{DType::F32, {2, 3}}));
  EXPECT_EQ(x.plan.scratch[0].nbytes, 24U);
  EXPECT_EQ(x.plan.scratch[1].nbytes, 5U);
  EXPECT_EQ(x.plan.scratch[2].nbytes, 14U);
  for (const ScratchTensor& scratch : x.plan.scratch) EXPECT_EQ(scratch.offset % 64, 0U);
  EXPECT_EQ(x.plan.scratch_bytes, 3U * 64);

  ASSERT_EQ(x.copies.size(), 2U);  // only what is needed of the first
  EXPECT_TRUE(x.copies[0].to_scratch);
  EXPECT_EQ(x.copies[0].target, 0U);
  EXPECT_EQ(x.copies[0].src_begin, 6U);
  EXPECT_EQ(x.copies[1].target, 1U);
  EXPECT_EQ(x.copies[1].dst_base, 64U);
}

TEST(CustomOperations, ResultsGoToTheTargetAfterTheStep) {
  const Emitted x = emit(mixed("mix", {stored(0, {8})}, {DType::F16, {7}}));
  ASSERT_EQ(x.plan.steps.size(), 1U);
  EXPECT_EQ(x.plan.steps[0].name, "mix");
  EXPECT_EQ(x.plan.steps[0].operands, std::vector<std::uint32_t>{0});
  EXPECT_EQ(x.plan.steps[0].result, 1U);
  ASSERT_EQ(x.plan.scratch_copies.size(), 1U);
  const ScratchCopies& last = x.plan.scratch_copies[0];
  EXPECT_EQ(last.after_steps, 1U);
  EXPECT_TRUE(last.copy.from_scratch);
  EXPECT_FALSE(last.copy.to_scratch);
  EXPECT_EQ(last.copy.source, 1U);
  EXPECT_EQ(last.copy.src_base, x.plan.scratch[1].offset);
  EXPECT_EQ(loops_of(last.copy), (std::vector<CopyDim>{{7, 1, 1}}));
}

TEST(CustomOperations, TheResultIsAnOperandLikeAnyOther) {
  const Recipe made = mixed("mix", {stored(0, {8})}, {DType::F32, {4, 3}});
  const Emitted x = emit(cast(concat(0, stored(1, {2, 3}), transpose(reshape(made, {3, 4}), 0, 1)), DType::BF16));
  ASSERT_EQ(x.copies.size(), 2U);
  EXPECT_TRUE(x.copies[0].to_scratch);
  EXPECT_FALSE(x.copies[1].to_scratch);
  EXPECT_EQ(x.copies[1].source, 1U);
  ASSERT_EQ(x.plan.scratch_copies.size(), 1U);
  const Copy& copy = x.plan.scratch_copies[0].copy;
  EXPECT_EQ(copy.dst_begin, 6U);
  EXPECT_EQ(copy.to, DType::BF16);
  EXPECT_EQ(loops_of(copy), (std::vector<CopyDim>{{3, 4, 1}, {4, 1, 3}}));
}

TEST(CustomOperations, NestInOrder) {
  const Recipe inner = mixed("inner", {stored(0, {8})}, {DType::F32, {6}});
  const Recipe outer = mixed("outer", {stored(1, {2}), slice(inner, 0, 1, 5)}, {DType::F32, {3}});
  const Emitted x = emit(outer);
  ASSERT_EQ(x.plan.steps.size(), 2U);
  EXPECT_EQ(x.plan.steps[0].name, "inner");
  EXPECT_EQ(x.plan.steps[1].name, "outer");
  ASSERT_EQ(x.plan.scratch_copies.size(), 2U);
  const ScratchCopies& between = x.plan.scratch_copies[0];
  EXPECT_EQ(between.after_steps, 1U);
  EXPECT_TRUE(between.copy.from_scratch);
  EXPECT_TRUE(between.copy.to_scratch);
  EXPECT_EQ(between.copy.source, x.plan.steps[0].result);
  EXPECT_EQ(between.copy.src_begin, 1U);
  EXPECT_EQ(between.copy.target, x.plan.steps[1].operands[1]);
  EXPECT_EQ(between.copy.dst_base, x.plan.scratch[between.copy.target].offset);
  EXPECT_EQ(x.plan.scratch_copies[1].after_steps, 2U);
}

TEST(CustomOperations, SeveralInOneTensorAllRunBeforeItsCopies) {
  const Emitted x =
      emit(concat(0, mixed("a", {stored(0, {8})}, {DType::F32, {6}}), mixed("b", {stored(1, {8})}, {DType::F32, {2}})));
  ASSERT_EQ(x.plan.steps.size(), 2U);
  ASSERT_EQ(x.plan.scratch_copies.size(), 2U);
  for (const ScratchCopies& entry : x.plan.scratch_copies) EXPECT_EQ(entry.after_steps, 2U);
  EXPECT_EQ(x.plan.scratch_copies[1].copy.dst_begin, 6U);
}

TEST(CustomOperations, BlocksInScratchAreWholeOnes) {
  const Recipe part = slice(stored(0, {64}, DType::Q8_0), 0, 0, 16);
  EXPECT_TRUE(fails_with(
      [&] {
        (void)emit(mixed("mix", {part}, {DType::F32, {4}}));
      },
      Errc::dtype_unsupported, {"whole blocks", "Q8_0 [16]"}));
}

}  // namespace
}  // namespace ballast::test
