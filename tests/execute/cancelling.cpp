// A request to stop ends the load soon.
#include <gtest/gtest.h>
#include <sys/uio.h>

#include <atomic>

#include "execute/two_ways.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(Cancelling, before_the_load) {
  Case c;
  fill_two_ways(c, 10'000);
  std::stop_source stop;
  stop.request_stop();
  ExecuteOptions options;
  options.cancel = stop.get_token();
  options.preadv = [](int, const ::iovec*, int, std::uint64_t) -> long {
    ADD_FAILURE() << "something was read";
    return 0;
  };
  EXPECT_TRUE(fails_with([&] { c.load(options); }, Errc::cancelled));
}

TEST(Cancelling, during_the_load) {
  Case c;
  fill_two_ways(c, 2'000'000);
  for (const unsigned threads : {1U, 4U}) {
    std::stop_source stop;
    std::atomic<unsigned> calls = 0;
    ExecuteOptions options;
    options.threads = threads;
    options.cancel = stop.get_token();
    options.preadv = [&](int fd, const ::iovec* parts, int count, std::uint64_t offset) {
      if (++calls == 3) stop.request_stop();
      return ::preadv(fd, parts, count, static_cast<off_t>(offset));
    };
    EXPECT_TRUE(fails_with([&] { c.load(options); }, Errc::cancelled));
    EXPECT_LE(calls, 3 + threads);
  }
}

TEST(Cancelling, among_interrupted_reads) {
  Case c;
  fill_two_ways(c, 10'000);
  std::stop_source stop;
  ExecuteOptions options;
  options.cancel = stop.get_token();
  options.preadv = [&](int, const ::iovec*, int, std::uint64_t) -> long {
    stop.request_stop();
    errno = EINTR;
    return -1;
  };
  EXPECT_TRUE(fails_with([&] { c.load(options); }, Errc::cancelled));
}

}  // namespace
}  // namespace ballast::test
