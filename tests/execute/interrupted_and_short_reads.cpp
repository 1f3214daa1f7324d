// Reads that a signal interrupts are made again; those that come up short are continued where they stopped.
#include <gtest/gtest.h>
#include <sys/uio.h>

#include <atomic>
#include <cerrno>

#include "execute/two_ways.hpp"

namespace ballast::test {
namespace {

// Reads at most `most` bytes.
long read_short(int fd, const ::iovec* parts, int count, std::uint64_t offset, std::size_t most) {
  std::vector<::iovec> fewer;
  for (int i = 0; i != count && most != 0; ++i) {
    fewer.push_back({parts[i].iov_base, std::min(parts[i].iov_len, most)});
    most -= fewer.back().iov_len;
  }
  return ::preadv(fd, fewer.data(), static_cast<int>(fewer.size()), static_cast<off_t>(offset));
}

TEST(InterruptedAndShortReads, every_other_call_is_interrupted) {
  Case c;
  fill_two_ways(c, 100'000);
  std::atomic<unsigned> calls = 0;
  for (const unsigned threads : {1U, 3U}) {
    ExecuteOptions options;
    options.threads = threads;
    options.preadv = [&calls](int fd, const ::iovec* parts, int count, std::uint64_t offset) -> long {
      if (calls++ % 2 == 0) {
        errno = EINTR;
        return -1;
      }
      return ::preadv(fd, parts, count, static_cast<off_t>(offset));
    };
    EXPECT_TRUE(c.loads_right(options));
  }
  EXPECT_GE(calls, 4);
}

TEST(InterruptedAndShortReads, a_few_bytes_a_call) {
  Case c;
  fill_two_ways(c, 8'000);
  std::atomic<unsigned> calls = 0;
  execution::Sizes sizes;
  sizes.task_bytes = 3000;
  sizes.least_direct_run = 1;
  ExecuteOptions options;
  options.preadv = [&calls](int fd, const ::iovec* parts, int count, std::uint64_t offset) {
    return read_short(fd, parts, count, offset, 1 + calls++ % 7);
  };
  EXPECT_TRUE(c.loads_right(1, sizes, options));
  EXPECT_TRUE(c.loads_right(3, sizes, options));
}

TEST(InterruptedAndShortReads, within_a_call_of_many_parts) {
  Case c;
  c.add_file(arbitrary_bytes(100 * 64));
  for (std::uint64_t i = 0; i != 100; ++i) {
    Copy copy = copy_of(0, DType::U8, i * 64, {{64, 1, 1}});
    copy.dst_base = c.reserve(64);
    c.add(copy);
  }
  c.finish();
  execution::Sizes sizes;
  sizes.least_direct_run = 1;
  for (const std::size_t most : {1U, 63U, 64U, 65U, 200U}) {
    ExecuteOptions options;
    options.preadv = [most](int fd, const ::iovec* parts, int count, std::uint64_t offset) {
      return read_short(fd, parts, count, offset, most);
    };
    EXPECT_TRUE(c.loads_right(1, sizes, options)) << most;
  }
}

}  // namespace
}  // namespace ballast::test
