// Several plans read together: groups are of all their copies, and a byte is counted once.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "plan/emitted.hpp"
#include "plan/small_model.hpp"

namespace ballast::test {
namespace {

std::uint64_t pick(std::uint64_t least, std::uint64_t most) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(least, most + 1));
}

// The plans of all ranks of a model, and what they read.
struct Joint {
  std::vector<Plan> plans;
  JointReads reads;

  Joint(SmallModel& model, std::uint64_t ranks) {
    model.context.tp_size = ranks;
    for (model.context.tp_rank = 0; model.context.tp_rank < ranks; ++model.context.tp_rank)
      plans.push_back(model.plan());
    std::vector<const Plan*> all;
    for (const Plan& plan : plans) all.push_back(&plan);
    reads = join_reads(all);
  }
  [[nodiscard]] const Copy& copy(std::size_t index) const {
    return plans[reads.copies[index].plan].copies[reads.copies[index].copy];
  }
};

// A model of the one tensor "w.params" of so many rows and columns of F32.
SmallModel one_tensor(const Shape& shape, Finalize finalize) {
  SmallModel model;
  model.add("w.params", DType::F32, shape);
  model.rest({made(weight("w"), std::move(finalize))});
  return model;
}

Finalize sharded(std::uint64_t axis) {
  return [=](const ModelContext& m, const Operands& o) { return shard(o[0][0], axis, m.tp_rank, m.tp_size, 1); };
}

TEST(JoinReads, RowsOfEachRankAreAGroup) {
  SmallModel model = one_tensor({10, 15}, sharded(0));
  const Joint joint(model, 4);
  ASSERT_EQ(joint.reads.groups.size(), 4U);
  for (std::uint32_t g = 0; g < 4; ++g) {
    EXPECT_EQ(joint.reads.groups[g].n_copies, 1U);
    EXPECT_EQ(joint.reads.copies[g].plan, g);
    EXPECT_EQ(joint.reads.groups[g].begin, g == 0 ? 8 : joint.reads.groups[g - 1].end);
  }
  EXPECT_EQ(joint.reads.bytes_needed, 10U * 15 * 4);
}

TEST(JoinReads, ColumnsOfAllRanksAreOneGroup) {
  SmallModel model = one_tensor({10, 15}, sharded(1));
  const Joint joint(model, 4);
  ASSERT_EQ(joint.reads.groups.size(), 1U);
  EXPECT_EQ(joint.reads.groups[0].n_copies, 4U);
  EXPECT_EQ(joint.reads.bytes_needed, 10U * 15 * 4);
}

TEST(JoinReads, WhatAllRanksHoldIsOneGroupCountedOnce) {
  SmallModel model = one_tensor({10, 15}, as_stored);
  const Joint joint(model, 4);
  ASSERT_EQ(joint.reads.groups.size(), 1U);
  EXPECT_EQ(joint.reads.groups[0].n_copies, 4U);
  EXPECT_EQ(joint.reads.bytes_needed, 10U * 15 * 4);
}

TEST(JoinReads, OfOnePlanAreItsOwn) {
  SmallModel model = one_tensor({10, 15}, sharded(1));
  const Joint joint(model, 1);
  ASSERT_EQ(joint.reads.groups.size(), joint.plans[0].groups.size());
  EXPECT_EQ(joint.reads.bytes_needed, joint.plans[0].bytes_needed);
}

TEST(JoinReads, OfNoPlanAreNone) {
  const JointReads none = join_reads({});
  EXPECT_TRUE(none.copies.empty());
  EXPECT_TRUE(none.groups.empty());
  EXPECT_EQ(none.bytes_needed, 0U);
}

// Every byte that a copy needs, element by element.
void add_bytes(const Copy& copy, std::size_t dim, std::uint64_t at,
               std::set<std::pair<std::uint32_t, std::uint64_t>>& bytes) {
  if (dim < copy.n_dims) {
    for (std::uint64_t i = 0; i < copy.dims[dim].count; ++i)
      add_bytes(copy, dim + 1, at + i * copy.dims[dim].src_stride, bytes);
    return;
  }
  const DTypeInfo& type = info(copy.from);
  const std::uint64_t first = copy.src_base + at / type.block_elements * type.block_bytes;
  for (std::uint64_t b = 0; b < type.block_bytes; ++b) bytes.emplace(copy.file, first + b);
}

// What a rank makes of a tensor: all of it, a shard of one axis, every so many-th slice, shards that overlap, or
// nothing.
Finalize random_use(const Shape& shape) {
  const std::uint64_t axis = pick(0, shape.rank() - 1), kind = pick(0, 4), seed = pick(0, 7);
  return [=](const ModelContext& m, const Operands& o) {
    const Recipe x = cast(o[0][0], DType::F32);
    const std::uint64_t extent = shape[axis], rank = m.tp_rank;
    if (kind == 0) return x;
    if (kind == 1) return shard(x, axis, rank, m.tp_size, 1);
    if (kind == 2) return slice(x, axis, std::min(extent - 1, rank), std::min(extent, rank + 1 + seed));
    if (kind == 3 && rank % 2 == seed % 2) return Recipe::nothing();
    const Recipe turned = transpose(x, 0, shape.rank() - 1);
    return shard(turned, (axis + seed) % shape.rank(), rank, m.tp_size, 1);
  };
}

SmallModel random_model() {
  SmallModel model;
  Parameters parameters;
  std::vector<MappingRule> rules;
  for (std::uint64_t t = 0, tensors = pick(1, 3); t < tensors; ++t) {
    const bool blocks = pick(0, 2) == 0;
    Shape shape;
    for (std::uint64_t rank = pick(1, 3); rank > 0; --rank) shape.push_back(pick(1, 6));
    if (blocks) shape[shape.rank() - 1] *= 32;
    if (pick(0, 2) == 0) model.next_file();
    rules.push_back({{"t" + std::to_string(t)}, {}, {}});
    model.add(rules.back().sources[0], blocks ? DType::Q8_0 : DType::BF16, shape);
    for (std::uint64_t uses = pick(1, 3); uses > 0; --uses) {
      parameters.push_back(made(weight("p" + std::to_string(parameters.size())), random_use(shape)));
      rules.back().targets.push_back({parameters.back().name, "params"});
    }
  }
  model.rest(std::move(parameters), std::move(rules));
  return model;
}

TEST(JoinReads, NeedTheBytesOfAllElements) {
  EXPECT_TRUE(rc::check([] {
    SmallModel model = random_model();
    const Joint joint(model, pick(1, 5));
    std::set<std::pair<std::uint32_t, std::uint64_t>> bytes;
    for (const Plan& plan : joint.plans)
      for (const Copy& copy : plan.copies) add_bytes(copy, 0, copy.src_begin, bytes);
    RC_ASSERT(joint.reads.bytes_needed == bytes.size());
  }));
}

TEST(JoinReads, HaveEveryCopyInGroupsThatPartTheFiles) {
  EXPECT_TRUE(rc::check([] {
    SmallModel model = random_model();
    const Joint joint(model, pick(1, 5));
    std::size_t copies = 0;
    for (const Plan& plan : joint.plans) copies += plan.copies.size();
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    for (const JointReads::CopyOf at : joint.reads.copies) seen.emplace(at.plan, at.copy);
    RC_ASSERT(seen.size() == copies);
    RC_ASSERT(joint.reads.copies.size() == copies);
    std::uint32_t next = 0;
    const ReadGroup* before = nullptr;
    for (const ReadGroup& group : joint.reads.groups) {
      RC_ASSERT(group.first_copy == next);
      std::uint64_t end = group.begin;
      for (; next < group.first_copy + group.n_copies; ++next) {
        RC_ASSERT(joint.copy(next).file == group.file);
        RC_ASSERT(joint.copy(next).file_begin() >= group.begin);
        end = std::max(end, joint.copy(next).file_end());
      }
      RC_ASSERT(end == group.end);
      const bool in_order =
          before == nullptr || before->file < group.file || (before->file == group.file && before->end <= group.begin);
      RC_ASSERT(in_order);
      before = &group;
    }
    RC_ASSERT(next == copies);
  }));
}

}  // namespace
}  // namespace ballast::test
