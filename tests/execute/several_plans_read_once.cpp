// What several plans need is read once, and nothing that none of them needs.
#include <gtest/gtest.h>

#include <vector>

#include "execute/case.hpp"
#include "execute/counted_reads.hpp"

namespace ballast::test {
namespace {

constexpr std::size_t kPlans = 4;

void expect_read_once(const Case& c, const std::vector<bool>& needed) {
  for (const unsigned threads : {1U, 3U}) {
    CountedReads counted(needed.size());
    EXPECT_TRUE(c.loads_right_dealt(kPlans, counted.options(threads)));
    for (std::size_t i = 0; i != needed.size(); ++i) ASSERT_EQ(counted.times[i], needed[i] ? 1 : 0) << "at " << i;
  }
}

TEST(SeveralPlansReadOnce, a_tensor_that_all_hold) {
  Case c;
  c.add_file(arbitrary_bytes(3'000'000));
  for (std::size_t plan = 0; plan != kPlans; ++plan) {
    Copy copy = copy_of(0, DType::BF16, 1000, {{1'400'000, 1, 1}});
    copy.dst_base = c.reserve(2'800'000);
    c.add(copy);
  }
  c.finish();
  std::vector<bool> needed(3'000'000);
  std::fill(needed.begin() + 1000, needed.begin() + 2'801'000, true);
  expect_read_once(c, needed);
}

TEST(SeveralPlansReadOnce, a_tensor_that_each_holds_in_another_dtype) {
  Case c;
  c.add_file(arbitrary_bytes(60'000));
  for (const DType to : {DType::F32, DType::BF16, DType::F16, DType::F32}) {
    Copy copy = copy_of(0, DType::BF16, 0, {{100, 300, 1}, {200, 1, 100}});
    copy.to = to;
    copy.dst_base = c.reserve(*byte_size(to, 20'000));
    c.add(copy);
  }
  c.finish();
  std::vector<bool> needed(60'000);
  for (std::size_t i = 0; i != needed.size(); ++i) needed[i] = i % 600 < 400;
  expect_read_once(c, needed);
}

TEST(SeveralPlansReadOnce, columns_of_a_matrix) {
  for (const std::uint64_t columns : {3U, 250U, 700U}) {  // of 3000, for each plan: through staging, and into place
    Case c;
    c.add_file(arbitrary_bytes(200 * 3000));
    std::vector<bool> needed(200 * 3000);
    for (std::size_t plan = 0; plan != kPlans; ++plan) {
      Copy copy = copy_of(0, DType::U8, 0, {{200, 3000, columns}, {columns, 1, 1}});
      copy.src_begin = plan * columns;
      copy.dst_base = c.reserve(200 * columns);
      c.add(copy);
    }
    for (std::size_t i = 0; i != needed.size(); ++i) needed[i] = i % 3000 < kPlans * columns;
    c.finish();
    ASSERT_EQ(c.plan().groups.size(), 1);
    expect_read_once(c, needed);
  }
}

TEST(SeveralPlansReadOnce, rows_that_some_share) {
  // Two key/value heads over four plans: each head is held by two.
  Case c;
  c.add_file(arbitrary_bytes(2 * 40'000));
  for (std::size_t plan = 0; plan != kPlans; ++plan) {
    Copy copy = copy_of(0, DType::F32, 0, {{10'000, 1, 1}});
    copy.src_begin = plan / 2 * 10'000;
    copy.dst_base = c.reserve(40'000);
    c.add(copy);
  }
  c.finish();
  expect_read_once(c, std::vector<bool>(80'000, true));
}

TEST(SeveralPlansReadOnce, blocks_that_two_cut_in_the_middle) {
  Case c;
  c.add_file(arbitrary_bytes(10 * 34));
  for (const std::uint64_t begin : {0U, 80U, 160U, 240U}) {  // blocks of 32 elements
    Copy copy = copy_of(0, DType::Q8_0, 0, {{80, 1, 1}});
    copy.src_begin = begin;
    copy.to = DType::F32;
    copy.dst_base = c.reserve(320);
    c.add(copy);
  }
  c.finish();
  expect_read_once(c, std::vector<bool>(340, true));
}

TEST(SeveralPlansReadOnce, plans_that_hold_nothing) {
  Case c;
  c.add_file(arbitrary_bytes(1000));
  Copy copy = copy_of(0, DType::U8, 0, {{1000, 1, 1}});
  copy.dst_base = c.reserve(1000);
  c.add(copy);
  c.finish();
  expect_read_once(c, std::vector<bool>(1000, true));
  Case none;
  none.add_file("");
  none.finish();
  expect_read_once(none, {});
}

}  // namespace
}  // namespace ballast::test
