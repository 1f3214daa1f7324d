// Loops that no recipe makes today, but that a plan can say: they load right all the same.
#include <gtest/gtest.h>

#include "execute/case.hpp"

namespace ballast::test {
namespace {

void expect_right(std::vector<CopyDim> dims, std::uint64_t file_bytes, std::uint64_t arena_bytes) {
  Case c;
  c.add_file(arbitrary_bytes(file_bytes));
  Copy copy = copy_of(0, DType::U8, 0, {});
  copy.n_dims = static_cast<std::uint8_t>(dims.size());
  std::copy(dims.begin(), dims.end(), copy.dims.begin());
  copy.dst_base = c.reserve(arena_bytes);
  c.add(copy);
  c.finish();
  execution::Sizes tiny;
  tiny.task_bytes = 100;
  tiny.staging_bytes = 64;
  tiny.least_direct_run = 1;
  EXPECT_TRUE(c.loads_right());
  EXPECT_TRUE(c.loads_right(2, tiny));
}

TEST(AwkwardLoops, the_same_source_many_times) { expect_right({{700, 1, 5}, {5, 0, 1}}, 700, 3500); }
TEST(AwkwardLoops, overlapping_windows) { expect_right({{50, 10, 600}, {600, 1, 1}}, 1090, 30'000); }
TEST(AwkwardLoops, strides_that_do_not_nest) { expect_right({{30, 7, 40}, {20, 11, 1}}, 413, 1200); }
TEST(AwkwardLoops, smallest_stride_outermost) { expect_right({{10, 1, 100}, {100, 10, 1}}, 1000, 1000); }
TEST(AwkwardLoops, one_element) { expect_right({}, 1, 1); }

TEST(AwkwardLoops, no_element_at_all) {
  Case c;
  c.add_file(arbitrary_bytes(10));
  Copy& copy = c.add(copy_of(0, DType::U8, 0, {{5, 1, 1}}));
  copy.dst_base = c.reserve(5);
  c.finish();
  c.plan().copies[0].dims[0].count = 0;
  const ExecuteStats stats = c.load();
  EXPECT_EQ(stats.bytes_read, 0);
}

TEST(AwkwardLoops, elements_whose_boundaries_differ) {
  Case c;
  c.add_file(arbitrary_bytes(5000));
  for (const std::uint64_t base : {0U, 1U}) {
    Copy copy = copy_of(0, DType::F32, base, {{1000, 1, 1}});
    copy.dst_base = c.reserve(4000);
    c.add(copy);
  }
  c.finish();
  execution::Sizes tiny;
  tiny.task_bytes = 1000;
  try {
    (void)c.loads_right(1, tiny);
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::invalid_argument);
  }
}

}  // namespace
}  // namespace ballast::test
