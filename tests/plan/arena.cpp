// Places in the arena: aligned, in the order of the declaration, each byte counted once.
#include <gtest/gtest.h>

#include "plan/small_model.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(Arena, TensorsStandInOrderAndAligned) {
  SmallModel model;
  model.add("b.params", DType::F32, {100});
  model.add("a.params", DType::BF16, {3});
  model.add("c.params", DType::U8, {256});
  model.rest({kept("a"), kept("b"), kept("c")});
  const Plan plan = model.plan();
  ASSERT_EQ(plan.tensors.size(), 3U);
  EXPECT_EQ(plan.tensors[0].arena_offset, 0U);
  EXPECT_EQ(plan.tensors[0].nbytes, 6U);
  EXPECT_EQ(plan.tensors[1].arena_offset, 256U);
  EXPECT_EQ(plan.tensors[1].nbytes, 400U);
  EXPECT_EQ(plan.tensors[2].arena_offset, 768U);
  EXPECT_EQ(plan.tensors[2].spec, (TensorSpec{DType::U8, {256}}));
  EXPECT_EQ(plan.arena_bytes, 1024U);
  EXPECT_EQ(plan.bytes_placed, 6U + 400 + 256);
}

TEST(Arena, LayersComeBeforeTheRest) {
  SmallModel model;
  model.add("emb.params", DType::F32, {4});
  for (const char* name : {"layers.1.w.params", "layers.0.w.params"}) model.add(name, DType::F32, {4});
  model.layers(2, {kept("w")});
  model.rest({kept("emb")});
  const Plan plan = model.plan();
  ASSERT_EQ(plan.tensors.size(), 3U);
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(plan.tensors[i].container, i);
    EXPECT_EQ(plan.tensors[i].arena_offset, i * 256U);
  }
  EXPECT_EQ(copies_into(plan, 0).at(0).source, 2U);
  EXPECT_EQ(copies_into(plan, 2).at(0).source, 0U);
}

TEST(Arena, CopiesKnowWhereTheirSourceAndTargetStart) {
  SmallModel model;
  model.add("a.params", DType::F32, {10});
  model.next_file();
  const std::uint32_t b = model.add("b.params", DType::F32, {10});
  model.rest({kept("a"), kept("b")});
  const Plan plan = model.plan();
  const Copy copy = copies_into(plan, 1).at(0);
  EXPECT_EQ(copy.source, b);
  EXPECT_EQ(copy.file, 1U);
  EXPECT_EQ(copy.src_base, 8U);
  EXPECT_EQ(copy.dst_base, 256U);
}

TEST(Arena, AuxiliariesAreTensorsOfTheirOwn) {
  SmallModel model;
  model.add("w.params", DType::I8, {4, 6});
  model.add("w.scales", DType::F32, {4});
  model.rest({made(parameter("w", {single("params"), single("scales")}),
                   [](const ModelContext&, const Operands& o) { return o[0][0].with_aux("scales", o[1][0]); })});
  const Plan plan = model.plan();
  ASSERT_EQ(plan.tensors.size(), 2U);
  EXPECT_EQ(plan.tensors[0].aux, "");
  EXPECT_EQ(plan.tensors[1].aux, "scales");
  EXPECT_EQ(plan.tensors[1].parameter, 0U);
  EXPECT_EQ(plan.tensors[1].spec, (TensorSpec{DType::F32, {4}}));
  EXPECT_EQ(plan.tensors[1].arena_offset, 256U);
}

TEST(Arena, WhatHoldsNothingHasNoTensor) {
  SmallModel model;
  model.add("a.params", DType::F32, {4});
  model.add("b.params", DType::F32, {4});
  model.rest({made(weight("a"), [](const ModelContext&, const Operands&) { return Recipe::nothing(); }), kept("b"),
              made(parameter("c", {optional("params")}), as_stored)});
  const Plan plan = model.plan();
  ASSERT_EQ(plan.tensors.size(), 1U);
  EXPECT_EQ(plan.tensors[0].parameter, 1U);
  EXPECT_EQ(plan.bytes_needed, 16U);
}

TEST(Arena, AShardOfNothingIsATensorWithoutElements) {
  SmallModel model;
  model.add("a.params", DType::F32, {2, 8});
  model.add("b.params", DType::F32, {4});
  model.rest({made(weight("a"), [](const ModelContext&, const Operands& o) { return shard(o[0][0], 0, 2, 3, 1); }),
              kept("b")});
  const Plan plan = model.plan();
  ASSERT_EQ(plan.tensors.size(), 2U);
  EXPECT_EQ(plan.tensors[0].spec.shape, (Shape{0, 8}));
  EXPECT_EQ(plan.tensors[0].nbytes, 0U);
  EXPECT_EQ(plan.tensors[0].arena_offset % kArenaAlignment, 0U);
  EXPECT_EQ(plan.copies.size(), 1U);
  EXPECT_EQ(plan.bytes_placed, 16U);
}

TEST(Arena, NoParametersAreAnEmptyPlan) {
  SmallModel model;
  model.rest({});
  const Plan plan = model.plan();
  EXPECT_TRUE(plan.tensors.empty());
  EXPECT_EQ(plan.arena_bytes, 0U);
  EXPECT_TRUE(plan.groups.empty());
}

TEST(Arena, CustomOperationsAreOfTheirParameter) {
  SmallModel model;
  model.add("a.params", DType::F32, {4});
  model.add("b.params", DType::F32, {4});
  model.rest({kept("a"), made(weight("b"), [](const ModelContext&, const Operands& o) {
                return custom("halve", o[0], {DType::F32, {2}}, [](auto, auto) {});
              })});
  const Plan plan = model.plan();
  ASSERT_EQ(plan.steps.size(), 1U);
  EXPECT_EQ(plan.steps[0].container, "non_transformer");
  EXPECT_EQ(plan.steps[0].parameter, "b");
  ASSERT_EQ(plan.scratch_copies.size(), 1U);
  EXPECT_EQ(plan.scratch_copies[0].copy.target, 1U);
  EXPECT_EQ(plan.scratch_copies[0].copy.dst_base, 256U);
  EXPECT_EQ(plan.bytes_needed, 32U);
}

TEST(Arena, BeyondAnAddressSpaceIsRefused) {
  constexpr std::uint64_t kHuge = std::uint64_t{1} << 45;
  SmallModel model;
  for (const char* name : {"a.params", "b.params", "c.params"}) model.add(name, DType::U8, {kHuge});
  model.rest({kept("a"), kept("b"), kept("c")});
  EXPECT_TRUE(fails_with([&] { (void)model.plan(); }, Errc::too_large, {"does not fit into an address space"}));
}

}  // namespace
}  // namespace ballast::test
