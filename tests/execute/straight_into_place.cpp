// Long runs that are contiguous on both sides are read where they belong, with few system calls.
#include <gtest/gtest.h>

#include "execute/case.hpp"

namespace ballast::test {
namespace {

Copy whole(std::uint32_t file, std::uint64_t offset, std::uint64_t bytes, std::uint64_t dst_base) {
  Copy copy = copy_of(file, DType::U8, offset, {{bytes, 1, 1}});
  copy.dst_base = dst_base;
  return copy;
}

TEST(StraightIntoPlace, one_tensor) {
  Case c;
  c.add_file(arbitrary_bytes(100'000));
  c.add(whole(0, 10, 99'000, c.reserve(99'000)));
  c.finish();
  EXPECT_TRUE(c.loads_right());
  EXPECT_EQ(c.load().bytes_direct, 99'000);
}

TEST(StraightIntoPlace, neighbours_scattered_in_memory_share_calls) {
  constexpr std::uint64_t kTensors = 18'000, kBytes = 600;
  Case c;
  c.add_file(arbitrary_bytes(kTensors * kBytes));
  const std::uint64_t base = c.reserve(kTensors * kBytes);
  // Backwards in memory, so that no two can be one part of a call.
  for (std::uint64_t i = 0; i != kTensors; ++i) c.add(whole(0, i * kBytes, kBytes, base + (kTensors - 1 - i) * kBytes));
  c.finish();
  EXPECT_TRUE(c.loads_right());
  const ExecuteStats stats = c.load();
  EXPECT_EQ(stats.bytes_direct, kTensors * kBytes);
  EXPECT_LE(stats.read_calls, kTensors / 1024 + 20);
}

TEST(StraightIntoPlace, tiny_neighbours_share_calls) {
  constexpr std::uint64_t kTensors = 18'000, kBytes = 6;
  Case c;
  c.add_file(arbitrary_bytes(kTensors * kBytes));
  for (std::uint64_t i = 0; i != kTensors; ++i) c.add(whole(0, i * kBytes, kBytes, c.reserve(kBytes)));
  c.finish();
  EXPECT_TRUE(c.loads_right());
  EXPECT_LE(c.load().read_calls, kTensors / 64);
}

TEST(StraightIntoPlace, rows_of_two_parameters) {
  // Row after row goes to the one and to the other: two copies read together, no byte of them twice.
  Case c;
  c.add_file(arbitrary_bytes(64 * 2 * 1024));
  for (std::uint64_t part = 0; part != 2; ++part) {
    Copy copy = copy_of(0, DType::BF16, 0, {{64, 1024, 512}, {512, 1, 1}});
    copy.src_begin = part * 512;
    copy.dst_base = c.reserve(64 * 1024);
    c.add(copy);
  }
  c.finish();
  EXPECT_TRUE(c.loads_right());
  EXPECT_EQ(c.load().bytes_direct, c.plan().bytes_needed);
  EXPECT_LE(c.load().read_calls, 4);
}

TEST(StraightIntoPlace, blocks_moved_as_they_are) {
  Case c;
  c.add_file(arbitrary_bytes(16 * 8 * 34));
  Copy copy = copy_of(0, DType::Q8_0, 0, {{16, 8 * 32, 6 * 32}, {6 * 32, 1, 1}});
  copy.src_begin = 32;
  copy.dst_base = c.reserve(16 * 6 * 34);
  c.add(copy);
  c.finish();
  execution::Sizes sizes;
  sizes.least_direct_run = 6 * 34;
  EXPECT_TRUE(c.loads_right(1, sizes));
  EXPECT_TRUE(c.loads_right());
}

TEST(StraightIntoPlace, more_than_one_call_may_read) {
  Case c;
  c.add_file(arbitrary_bytes(20U << 20));
  c.add(whole(0, 3, (20U << 20) - 5, c.reserve(20U << 20)));
  c.finish();
  execution::Sizes sizes;
  sizes.task_bytes = 64U << 20;
  std::string arena = c.blank_arena();
  EXPECT_EQ(c.load().bytes_read, c.plan().bytes_needed);
  EXPECT_TRUE(c.loads_right(1, sizes));
}

TEST(StraightIntoPlace, nothing_to_do) {
  Case c;
  c.finish();
  EXPECT_TRUE(c.loads_right());
  EXPECT_EQ(c.load().read_calls, 0);
}

}  // namespace
}  // namespace ballast::test
