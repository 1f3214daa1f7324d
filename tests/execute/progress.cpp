// The progress function: never called by two threads at once, never backwards, once at the end; what it throws ends
// the load.
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "execute/two_ways.hpp"

namespace ballast::test {
namespace {

TEST(Progress, counts_up_to_the_end) {
  Case c;
  fill_two_ways(c, 2'000'000);
  std::vector<Progress> reports;
  std::atomic<int> inside = 0;
  ExecuteOptions options;
  options.threads = 4;
  options.progress = [&](const Progress& progress) {
    EXPECT_EQ(++inside, 1);
    reports.push_back(progress);
    --inside;
  };
  EXPECT_TRUE(c.loads_right(options));
  ASSERT_FALSE(reports.empty());
  for (std::size_t i = 1; i < reports.size(); ++i) EXPECT_GE(reports[i].bytes_done, reports[i - 1].bytes_done);
  EXPECT_EQ(reports.back().bytes_done, c.plan().bytes_needed);
  EXPECT_EQ(reports.back().bytes_total, c.plan().bytes_needed);
}

TEST(Progress, is_reported_of_an_empty_plan) {
  Case c;
  c.finish();
  int reports = 0;
  ExecuteOptions options;
  options.progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.bytes_done, 0);
    ++reports;
  };
  EXPECT_TRUE(c.loads_right(options));
  EXPECT_EQ(reports, 1);
}

TEST(Progress, what_it_throws_is_rethrown) {
  Case c;
  fill_two_ways(c, 2'000'000);
  for (const unsigned threads : {1U, 4U}) {
    ExecuteOptions options;
    options.threads = threads;
    options.progress = [](const Progress&) { throw std::out_of_range("enough"); };
    EXPECT_THROW((void)c.load(options), std::out_of_range);
  }
}

TEST(Progress, what_it_throws_at_the_end_is_rethrown) {
  Case c;
  fill_two_ways(c, 10'000);
  ExecuteOptions options;
  options.progress = [](const Progress& progress) {
    if (progress.bytes_done == progress.bytes_total) throw std::out_of_range("enough");
  };
  EXPECT_THROW((void)c.load(options), std::out_of_range);
}

}  // namespace
}  // namespace ballast::test
