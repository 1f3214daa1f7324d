// A pass for several plans that fails, or is to stop, ends as that for one does; and it says how far it is.
#include <gtest/gtest.h>
#include <sys/uio.h>

#include <cerrno>
#include <vector>

#include "execute/two_ways.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(SeveralPlansEndingEarly, a_failing_read_names_the_file) {
  Case c;
  fill_two_ways(c, 600'000);
  for (const unsigned threads : {1U, 4U}) {
    ExecuteOptions options;
    options.threads = threads;
    options.preadv = [](int fd, const ::iovec* parts, int count, std::uint64_t offset) -> long {
      if (offset < 400'000) return ::preadv(fd, parts, count, static_cast<off_t>(offset));
      errno = EIO;
      return -1;
    };
    EXPECT_TRUE(fails_with([&] { (void)c.load_dealt(3, options); }, Errc::io_read, {"file", "Input/output error"}));
  }
}

TEST(SeveralPlansEndingEarly, a_request_to_stop) {
  Case c;
  fill_two_ways(c, 2'000'000);
  std::stop_source stop;
  ExecuteOptions options;
  options.threads = 1;
  options.cancel = stop.get_token();
  unsigned calls = 0;
  options.preadv = [&](int fd, const ::iovec* parts, int count, std::uint64_t offset) {
    if (++calls == 3) stop.request_stop();
    return ::preadv(fd, parts, count, static_cast<off_t>(offset));
  };
  EXPECT_TRUE(fails_with([&] { (void)c.load_dealt(3, options); }, Errc::cancelled));
  EXPECT_LE(calls, 4);
}

TEST(SeveralPlansEndingEarly, progress_counts_each_byte_once) {
  Case c;
  fill_two_ways(c, 300'000);
  std::vector<Progress> seen;
  ExecuteOptions options;
  options.progress = [&](const Progress& progress) { seen.push_back(progress); };
  EXPECT_TRUE(c.loads_right_dealt(2, options));
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen.back().bytes_done, c.plan().bytes_needed);
  for (const Progress& progress : seen) EXPECT_EQ(progress.bytes_total, c.plan().bytes_needed);
}

}  // namespace
}  // namespace ballast::test
