// Gaps are not read, and bytes that several copies need are read once.
#include <gtest/gtest.h>

#include <vector>

#include "execute/case.hpp"
#include "execute/counted_reads.hpp"

namespace ballast::test {
namespace {

void expect_read_once(const Case& c, std::size_t file_bytes, const std::vector<bool>& needed) {
  for (const unsigned threads : {1U, 3U}) {
    CountedReads counted(file_bytes);
    EXPECT_TRUE(c.loads_right(counted.options(threads)));
    for (std::size_t i = 0; i != file_bytes; ++i) ASSERT_EQ(counted.times[i], needed[i] ? 1 : 0) << "at " << i;
  }
}

TEST(ReadsOnlyWhatIsNeeded, columns_of_a_matrix) {
  for (const std::uint64_t columns : {4U, 600U}) {  // of 1000: staged, and straight into place
    Case c;
    c.add_file(arbitrary_bytes(300 * 1000));
    Copy copy = copy_of(0, DType::U8, 0, {{300, 1000, columns}, {columns, 1, 1}});
    copy.src_begin = 7;
    copy.dst_base = c.reserve(300 * columns);
    c.add(copy);
    c.finish();
    std::vector<bool> needed(300 * 1000);
    for (std::size_t i = 0; i != needed.size(); ++i) needed[i] = i % 1000 >= 7 && i % 1000 < 7 + columns;
    expect_read_once(c, needed.size(), needed);
  }
}

TEST(ReadsOnlyWhatIsNeeded, overlapping_copies) {
  Case c;
  c.add_file(arbitrary_bytes(200'000));
  const std::uint64_t ends[][2] = {{0, 90'000}, {50'000, 120'000}, {60'000, 61'000}, {119'000, 150'000}};
  std::vector<bool> needed(200'000);
  for (const auto& [begin, end] : ends) {
    Copy copy = copy_of(0, DType::U8, 0, {{end - begin, 1, 1}});
    copy.src_begin = begin;
    copy.dst_base = c.reserve(end - begin);
    c.add(copy);
    std::fill(needed.begin() + static_cast<std::ptrdiff_t>(begin), needed.begin() + static_cast<std::ptrdiff_t>(end),
              true);
  }
  c.finish();
  ASSERT_EQ(c.plan().groups.size(), 1);
  expect_read_once(c, needed.size(), needed);
}

TEST(ReadsOnlyWhatIsNeeded, copies_that_count_from_different_places) {
  Case c;
  c.add_file(arbitrary_bytes(100'000));
  for (const auto& [base, end] : {std::pair{0U, 30'000U}, {20'000U, 70'000U}, {60'000U, 100'000U}}) {
    Copy copy = copy_of(0, DType::BF16, base, {{(end - base) / 4, 2, 1}});
    copy.to = DType::F32;
    copy.dst_base = c.reserve(end - base);
    c.add(copy);
  }
  c.finish();
  ASSERT_EQ(c.plan().groups.size(), 1);
  std::vector<bool> needed(100'000);
  for (std::size_t i = 0; i != needed.size(); ++i) needed[i] = i % 4 < 2;
  expect_read_once(c, needed.size(), needed);
}

TEST(ReadsOnlyWhatIsNeeded, a_converted_and_a_plain_copy_of_one_tensor) {
  Case c;
  c.add_file(arbitrary_bytes(60'000));
  for (const DType to : {DType::BF16, DType::F32}) {
    Copy copy = copy_of(0, DType::BF16, 0, {{30'000, 1, 1}});
    copy.to = to;
    copy.dst_base = c.reserve(*byte_size(to, 30'000));
    c.add(copy);
  }
  c.finish();
  expect_read_once(c, 60'000, std::vector<bool>(60'000, true));
}

TEST(ReadsOnlyWhatIsNeeded, whole_blocks_around_a_part_of_them) {
  Case c;
  c.add_file(arbitrary_bytes(10 * 34));
  Copy copy = copy_of(0, DType::Q8_0, 0, {{40, 1, 1}});
  copy.src_begin = 33 + 31;  // the last element of one block, all of the next and some of the one after
  copy.src_begin -= 1;
  copy.to = DType::F32;
  copy.dst_base = c.reserve(160);
  c.add(copy);
  c.finish();
  std::vector<bool> needed(340);
  std::fill(needed.begin() + 34, needed.begin() + 4 * 34, true);
  EXPECT_EQ(c.plan().bytes_needed, 3 * 34);
  expect_read_once(c, 340, needed);
}

}  // namespace
}  // namespace ballast::test
