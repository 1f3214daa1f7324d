// The bytes that are read: each once, whatever is made of them; of blocks all that any element needs.
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

Finalize columns_as_f32(std::uint64_t begin, std::uint64_t end) {
  return [=](const ModelContext&, const Operands& o) { return slice(cast(o[0][0], DType::F32), 1, begin, end); };
}

std::uint64_t needed(DType dtype, const Shape& shape, std::vector<Finalize> uses) {
  SmallModel model;
  model.add("w", dtype, shape);
  Parameters parameters;
  MappingRule rule{{"w"}, {}, {}};
  for (Finalize& use : uses) {
    parameters.push_back(made(weight("p" + std::to_string(parameters.size())), std::move(use)));
    rule.targets.push_back({parameters.back().name, "params"});
  }
  model.rest(std::move(parameters), {rule});
  return model.plan().bytes_needed;
}

TEST(BytesNeeded, OfAColumnShardAreItsColumns) {
  EXPECT_EQ(needed(DType::BF16, {8, 16}, {columns_as_f32(4, 8)}), 8U * 4 * 2);
}

TEST(BytesNeeded, OfBlocksAreWholeBlocks) {
  EXPECT_EQ(needed(DType::Q8_0, {2, 64}, {columns_as_f32(5, 17)}), 2U * 34);
  EXPECT_EQ(needed(DType::Q8_0, {2, 64}, {columns_as_f32(5, 40)}), 4U * 34);
  EXPECT_EQ(needed(DType::Q8_0, {2, 96}, {columns_as_f32(31, 33)}), 4U * 34);
}

TEST(BytesNeeded, OfOverlappingUsesAreCountedOnce) {
  EXPECT_EQ(needed(DType::BF16, {8, 16}, {columns_as_f32(0, 10), columns_as_f32(6, 12)}), 8U * 12 * 2);
  EXPECT_EQ(needed(DType::Q8_0, {2, 96}, {columns_as_f32(0, 5), columns_as_f32(9, 12), columns_as_f32(30, 40)}),
            2U * 2 * 34);
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

// A part of a tensor as F32, perhaps turned.
Finalize random_use(const Shape& shape) {
  std::uint64_t begin[2], end[2];
  for (std::size_t axis = 0; axis < 2; ++axis) {
    begin[axis] = pick(0, shape[axis] - 1);
    end[axis] = pick(begin[axis] + 1, shape[axis]);
  }
  const bool turned = pick(0, 1) == 1;
  return [=](const ModelContext&, const Operands& o) {
    const Recipe x = cast(slice(slice(o[0][0], 0, begin[0], end[0]), 1, begin[1], end[1]), DType::F32);
    return turned ? transpose(x, 0, 1) : x;
  };
}

SmallModel random_model() {
  SmallModel model;
  Parameters parameters;
  std::vector<MappingRule> rules;
  for (std::uint64_t t = 0, tensors = pick(1, 3); t < tensors; ++t) {
    const bool blocks = pick(0, 1) == 1;
    const Shape shape{pick(1, 5), blocks ? 32 * pick(1, 3) : pick(1, 7)};
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

TEST(BytesNeeded, AreThoseOfAllElements) {
  EXPECT_TRUE(rc::check([] {
    const Plan plan = random_model().plan();
    std::set<std::pair<std::uint32_t, std::uint64_t>> bytes;
    for (const Copy& copy : plan.copies) add_bytes(copy, 0, copy.src_begin, bytes);
    RC_ASSERT(plan.bytes_needed == bytes.size());
  }));
}

TEST(BytesNeeded, AreInGroupsThatPartTheFiles) {
  EXPECT_TRUE(rc::check([] {
    const Plan plan = random_model().plan();
    std::uint32_t next = 0;
    for (std::size_t g = 0; g < plan.groups.size(); ++g) {
      const ReadGroup& group = plan.groups[g];
      RC_ASSERT(group.first_copy == next);
      RC_ASSERT(group.n_copies > 0U);
      std::uint64_t end = group.begin;
      for (; next < group.first_copy + group.n_copies; ++next) {
        const Copy& copy = plan.copies[next];
        RC_ASSERT(copy.file == group.file);
        RC_ASSERT(copy.file_begin() >= group.begin);
        if (next != group.first_copy) RC_ASSERT(copy.file_begin() < end);
        end = std::max(end, copy.file_end());
      }
      RC_ASSERT(end == group.end);
      if (g == 0) continue;
      const ReadGroup& before = plan.groups[g - 1];
      const bool in_order = before.file < group.file || (before.file == group.file && before.end <= group.begin);
      RC_ASSERT(in_order);
    }
    RC_ASSERT(next == plan.copies.size());
  }));
}

}  // namespace
}  // namespace ballast::test
