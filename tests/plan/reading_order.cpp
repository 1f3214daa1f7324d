// Copies stand in the order of the files; what is contiguous on both sides is one copy, what shares bytes is one group.
#include <gtest/gtest.h>

#include "plan/emitted.hpp"
#include "plan/small_model.hpp"

namespace ballast::test {
namespace {

// Columns [begin, end) of the parameter's tensor.
Finalize columns(std::uint64_t begin, std::uint64_t end) {
  return [=](const ModelContext&, const Operands& o) { return slice(o[0][0], 1, begin, end); };
}
Finalize rows(std::uint64_t begin, std::uint64_t end) {
  return [=](const ModelContext&, const Operands& o) { return slice(o[0][0], 0, begin, end); };
}

// Two parameters made of the tensor "both".
SmallModel two_of_one(DType dtype, const Shape& shape, Finalize a, Finalize b) {
  SmallModel model;
  model.add("both", dtype, shape);
  model.rest({made(weight("a"), std::move(a)), made(weight("b"), std::move(b))},
             {{{"both"}, {{"a", "params"}, {"b", "params"}}, {}}});
  return model;
}

TEST(ReadingOrder, IsThatOfTheFiles) {
  SmallModel model;
  model.add("c.params", DType::F32, {5});
  model.next_file();
  model.add("b.params", DType::F32, {5});
  model.add("a.params", DType::F32, {5});
  model.rest({kept("a"), kept("b"), kept("c")});
  const Plan plan = model.plan();
  ASSERT_EQ(plan.copies.size(), 3U);
  ASSERT_EQ(plan.groups.size(), 3U);
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(plan.copies[i].source, i);
    EXPECT_EQ(plan.groups[i].first_copy, i);
    EXPECT_EQ(plan.groups[i].n_copies, 1U);
  }
  EXPECT_EQ(plan.groups[0].file, 0U);
  EXPECT_EQ(plan.groups[1].file, 1U);
  EXPECT_EQ(plan.groups[1].begin, 8U);
  EXPECT_EQ(plan.groups[2].begin, 28U);
  EXPECT_EQ(plan.groups[2].end, 48U);
}

TEST(ReadingOrder, NeighboursOnBothSidesAreOneCopy) {
  SmallModel model;
  for (const char* name : {"a.params", "b.params", "c.params"}) model.add(name, DType::F32, {64});
  model.rest({kept("a"), kept("b"), kept("c")});
  const Plan plan = model.plan();
  ASSERT_EQ(plan.copies.size(), 1U);
  EXPECT_EQ(plan.copies[0].source, 0U);
  EXPECT_EQ(plan.copies[0].target, 0U);
  EXPECT_EQ(loops_of(plan.copies[0]), (std::vector<CopyDim>{{192, 1, 1}}));
  EXPECT_EQ(plan.groups.size(), 1U);
  EXPECT_EQ(plan.bytes_needed, 768U);
}

TEST(ReadingOrder, NeighboursThatConvertAlikeAreOneCopy) {
  SmallModel model;
  model.context.dtype = DType::BF16;
  const Finalize narrow = [](const ModelContext& m, const Operands& o) { return m.to_activation_dtype(o[0][0]); };
  for (const char* name : {"a.params", "b.params"}) model.add(name, DType::F32, {128});
  model.rest({made(weight("a"), narrow), made(weight("b"), narrow)});
  EXPECT_EQ(model.plan().copies.size(), 1U);
}

TEST(ReadingOrder, BlocksThatAreNeighboursAreOneCopy) {
  SmallModel model;
  for (const char* name : {"a.params", "b.params"}) model.add(name, DType::Q8_0, {32 * 128});  // 17 x 256 bytes
  model.rest({kept("a"), kept("b")});
  const Plan plan = model.plan();
  ASSERT_EQ(plan.copies.size(), 1U);
  EXPECT_EQ(plan.copies[0].elements(), 2U * 32 * 128);
}

TEST(ReadingOrder, NeighboursOnOneSideAreTwoCopies) {
  SmallModel gap_in_file, gap_in_arena, turned, types;
  gap_in_file.add("a.params", DType::F32, {64});
  gap_in_file.skip(4);
  gap_in_file.add("b.params", DType::F32, {64});
  for (const char* name : {"a.params", "b.params"}) gap_in_arena.add(name, DType::F32, {65});
  for (const char* name : {"b.params", "a.params"}) turned.add(name, DType::F32, {64});
  types.add("a.params", DType::F32, {64});
  types.add("b.params", DType::I32, {64});
  for (SmallModel* model : {&gap_in_file, &gap_in_arena, &turned, &types}) {
    model->rest({kept("a"), kept("b")});
    EXPECT_EQ(model->plan().copies.size(), 2U);
  }
}

TEST(ReadingOrder, TheEndOfAFileParts) {
  // The second file goes on at the offset where the first ends.
  SmallModel model;
  model.add("a.params", DType::F32, {64});
  model.next_file();
  model.skip(256);
  model.add("b.params", DType::F32, {64});
  model.rest({kept("a"), kept("b")});
  EXPECT_EQ(model.plan().copies.size(), 2U);
}

TEST(ReadingOrder, FusedPartsThatAreNeighboursAreOneCopy) {
  SmallModel model;
  for (const char* name : {"w.q_params", "w.k_params", "w.v_params"}) model.add(name, DType::F32, {4, 3});
  model.rest(
      {made(qkv("w"), [](const ModelContext&, const Operands& o) { return concat(0, o[0][0], o[1][0], o[2][0]); })});
  const Plan plan = model.plan();
  ASSERT_EQ(plan.copies.size(), 1U);
  EXPECT_EQ(plan.copies[0].elements(), 36U);
}

TEST(ReadingOrder, ColumnsOfOneTensorAreOneGroup) {
  const Plan plan = two_of_one(DType::F32, {8, 16}, columns(8, 16), columns(0, 8)).plan();
  ASSERT_EQ(plan.groups.size(), 1U);
  EXPECT_EQ(plan.groups[0].n_copies, 2U);
  EXPECT_EQ(plan.groups[0].begin, 8U);
  EXPECT_EQ(plan.groups[0].end, 8U + 8 * 16 * 4);
  EXPECT_EQ(plan.bytes_needed, 8U * 16 * 4);
  EXPECT_EQ(plan.copies[0].target, 1U);  // the left columns begin first
}

TEST(ReadingOrder, RowsOfOneTensorAreTwoGroups) {
  const Plan plan = two_of_one(DType::F32, {8, 15}, rows(4, 8), rows(0, 4)).plan();
  ASSERT_EQ(plan.groups.size(), 2U);
  EXPECT_EQ(plan.groups[0].end, plan.groups[1].begin);
  EXPECT_EQ(plan.bytes_needed, 8U * 15 * 4);
}

TEST(ReadingOrder, OverlappingRowsAreOneGroupReadOnce) {
  const Plan plan = two_of_one(DType::F32, {8, 15}, rows(0, 5), rows(3, 7)).plan();
  ASSERT_EQ(plan.groups.size(), 1U);
  EXPECT_EQ(plan.bytes_needed, 7U * 15 * 4);
}

}  // namespace
}  // namespace ballast::test
