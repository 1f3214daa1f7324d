// Slices, transposes, interleaves and joins of random tensors, moved and converted, load as element-by-element copying
// would; every needed byte is read once and no byte of the arena beside the targets is touched.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "execute/case.hpp"

namespace ballast::test {
namespace {

std::uint64_t pick(std::uint64_t least, std::uint64_t most) { return *rc::gen::inRange(least, most + 1); }

struct Types {
  DType from;
  std::vector<DType> via;
  DType to;
};

const std::vector<Types> kTypes{{DType::U8, {}, DType::U8},
                                {DType::BF16, {}, DType::BF16},
                                {DType::F32, {}, DType::F32},
                                {DType::I64, {}, DType::I64},
                                {DType::BF16, {}, DType::F32},
                                {DType::F32, {}, DType::F16},
                                {DType::F64, {DType::F32}, DType::BF16},
                                {DType::F32, {DType::F16, DType::BF16}, DType::F32},
                                {DType::F8_E4M3, {}, DType::BF16},
                                {DType::Q8_0, {}, DType::Q8_0},
                                {DType::F4, {}, DType::F4},
                                {DType::Q4_0, {}, DType::F32},
                                {DType::Q8_0, {}, DType::F16},
                                {DType::Q8_0, {DType::F32}, DType::BF16}};

struct Source {
  std::uint32_t file = 0;
  std::uint64_t base = 0;
  Types types;
  std::vector<std::uint64_t> shape;
};

struct Axis {
  std::uint64_t begin = 0;
  std::uint64_t count = 1;
  std::uint64_t src_stride = 1;
};

bool moves_blocks(const Types& types) { return is_block(types.from) && types.from == types.to && types.via.empty(); }

// A part of each axis; of the last one whole blocks, where blocks are moved as they are.
std::vector<Axis> random_slice(const Source& source) {
  std::vector<Axis> axes(source.shape.size());
  std::uint64_t stride = 1;
  for (std::size_t i = axes.size(); i-- != 0; stride *= source.shape[i]) {
    const bool blocks = i + 1 == axes.size() && moves_blocks(source.types);
    const std::uint64_t grain = blocks ? info(source.types.from).block_elements : 1;
    const std::uint64_t extent = source.shape[i] / grain;
    const bool all = pick(0, 2) == 0;
    const std::uint64_t begin = all ? 0 : pick(0, extent - 1);
    const std::uint64_t count = all ? extent : pick(1, extent - begin);
    axes[i] = {begin * grain, count * grain, stride};
  }
  return axes;
}

// `parts` such slices of one source, interleaved along the axis that comes out outermost.
void add_slices(Case& c, const Source& source) {
  const std::vector<Axis> axes = random_slice(source);
  std::vector<std::size_t> order(axes.size());
  std::iota(order.begin(), order.end(), 0);
  // The axis of blocks stays the innermost.
  const auto movable = static_cast<std::ptrdiff_t>(order.size() - (moves_blocks(source.types) ? 1 : 0));
  for (std::ptrdiff_t i = movable; i-- > 1;)
    std::swap(order[static_cast<std::size_t>(i)], order[pick(0, static_cast<std::uint64_t>(i))]);
  std::uint64_t elements = 1;
  for (const Axis& axis : axes) elements *= axis.count;
  const std::uint64_t parts = pick(1, 2);
  const std::uint64_t base = c.reserve(*byte_size(source.types.to, elements * parts));
  for (std::uint64_t part = 0; part != parts; ++part) {
    std::vector<CopyDim> dims;
    std::uint64_t dst_stride = 1, src_begin = 0, dst_begin = 0;
    for (std::size_t i = order.size(); i-- != 0;) {
      const Axis& axis = axes[order[i]];
      if (i == 0) {
        dst_begin = part * dst_stride;
        dst_stride *= parts;
      }
      dims.push_back({axis.count, axis.src_stride, dst_stride});
      dst_stride *= axis.count;
      src_begin += axis.begin * axis.src_stride;
    }
    // Only one axis: its elements are interleaved, which blocks that are moved as they are cannot be.
    if (order.size() == 1 && moves_blocks(source.types)) {
      dims[0].dst_stride = 1;
      dst_begin = part * axes[0].count;
    }
    Copy copy = copy_of(source.file, source.types.from, source.base, dims);
    copy.src_begin = src_begin;
    copy.dst_begin = dst_begin;
    copy.dst_base = base;
    copy.to = source.types.to;
    for (const DType via : source.types.via) copy.via[copy.n_via++] = via;
    c.add(copy);
  }
}

Source random_source(std::uint32_t file, std::uint64_t base) {
  Source source{file, base, kTypes[pick(0, kTypes.size() - 1)], {}};
  for (std::uint64_t rank = pick(1, 4); rank != 0; --rank) source.shape.push_back(pick(1, 9));
  source.shape.back() = pick(0, 1) == 0 ? pick(1, 9) : pick(100, 400);
  const std::uint64_t block = info(source.types.from).block_elements;
  source.shape.back() = (source.shape.back() + block - 1) / block * block;
  return source;
}

void fill_randomly(Case& c) {
  for (std::uint64_t files = pick(1, 2), f = 0; f != files; ++f) {
    std::uint64_t bytes = pick(0, 9);
    for (std::uint64_t tensors = pick(1, 4); tensors != 0; --tensors) {
      const Source source = random_source(static_cast<std::uint32_t>(f), bytes);
      std::uint64_t elements = 1;
      for (const std::uint64_t extent : source.shape) elements *= extent;
      bytes += *byte_size(source.types.from, elements) + (pick(0, 2) == 0 ? pick(0, 40) : 0);
      for (std::uint64_t slices = pick(1, 3); slices != 0; --slices) add_slices(c, source);
    }
    c.add_file(arbitrary_bytes(bytes, bytes));
  }
  c.finish();
}

void check(const testing::AssertionResult& result) {
  if (!result) RC_FAIL(result.message());
}

TEST(RandomCopies, match_reference) {
  EXPECT_TRUE(rc::check([] {
    Case c;
    fill_randomly(c);
    check(c.loads_right());
    ExecuteOptions few;
    few.threads = 1;
    few.staging_bytes = 0;
    check(c.loads_right(few));
    execution::Sizes tiny;
    tiny.task_bytes = pick(64, 4096);
    tiny.staging_bytes = pick(64, 2048);
    tiny.least_direct_run = pick(1, 128);
    check(c.loads_right(1, tiny));
    check(c.loads_right(3, tiny));
  }));
}

TEST(RandomCopies, of_several_plans_match_reference) {
  EXPECT_TRUE(rc::check([] {
    Case c;
    fill_randomly(c);
    const std::size_t plans = pick(2, 5);
    check(c.loads_right_dealt(plans));
    execution::Sizes tiny;
    tiny.task_bytes = pick(64, 4096);
    tiny.staging_bytes = pick(64, 2048);
    tiny.least_direct_run = pick(1, 128);
    check(c.loads_right_dealt(plans, 1, tiny));
    check(c.loads_right_dealt(plans, 3, tiny));
  }));
}

}  // namespace
}  // namespace ballast::test
