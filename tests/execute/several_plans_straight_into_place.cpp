// Long runs that one plan alone needs are read where they belong, whichever plans their neighbours belong to.
#include <gtest/gtest.h>

#include "execute/case.hpp"

namespace ballast::test {
namespace {

constexpr std::size_t kPlans = 4;

TEST(SeveralPlansStraightIntoPlace, rows) {
  Case c;
  c.add_file(arbitrary_bytes(4'000'000));
  for (std::size_t plan = 0; plan != kPlans; ++plan) {
    Copy copy = copy_of(0, DType::U8, plan * 1'000'000, {{1'000'000, 1, 1}});
    copy.dst_base = c.reserve(1'000'000);
    c.add(copy);
  }
  c.finish();
  EXPECT_TRUE(c.loads_right_dealt(kPlans));
  const ExecuteStats stats = c.load_dealt(kPlans);
  EXPECT_EQ(stats.bytes_direct, 4'000'000);
  EXPECT_LE(stats.read_calls, 20);
}

// Each row of the matrix goes to four arenas: many rows a system call, and not four calls a row.
TEST(SeveralPlansStraightIntoPlace, columns_are_read_together) {
  constexpr std::uint64_t kRows = 1000, kColumns = 1500;
  Case c;
  c.add_file(arbitrary_bytes(kRows * kPlans * kColumns));
  for (std::size_t plan = 0; plan != kPlans; ++plan) {
    Copy copy = copy_of(0, DType::U8, 0, {{kRows, kPlans * kColumns, kColumns}, {kColumns, 1, 1}});
    copy.src_begin = plan * kColumns;
    copy.dst_base = c.reserve(kRows * kColumns);
    c.add(copy);
  }
  c.finish();
  EXPECT_TRUE(c.loads_right_dealt(kPlans));
  const ExecuteStats stats = c.load_dealt(kPlans);
  EXPECT_EQ(stats.bytes_direct, kRows * kPlans * kColumns);
  EXPECT_LE(stats.read_calls, kRows / 20);
}

TEST(SeveralPlansStraightIntoPlace, beside_what_all_hold) {
  Case c;
  c.add_file(arbitrary_bytes(4 * 10'000 + 6000));
  for (std::size_t plan = 0; plan != kPlans; ++plan) {
    Copy own = copy_of(0, DType::U8, plan * 10'000, {{10'000, 1, 1}});
    own.dst_base = c.reserve(10'000);
    c.add(own);
  }
  for (std::size_t plan = 0; plan != kPlans; ++plan) {
    Copy shared = copy_of(0, DType::U8, 40'000, {{6000, 1, 1}});
    shared.dst_base = c.reserve(6000);
    c.add(shared);
  }
  c.finish();
  EXPECT_TRUE(c.loads_right_dealt(kPlans));
  const ExecuteStats stats = c.load_dealt(kPlans);
  EXPECT_EQ(stats.bytes_direct, 40'000);
  EXPECT_EQ(stats.bytes_staged, 6000);
}

}  // namespace
}  // namespace ballast::test
