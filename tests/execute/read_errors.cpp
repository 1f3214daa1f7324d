// What a read that fails says; and that nothing is left behind.
#include <gtest/gtest.h>
#include <sys/uio.h>

#include <cerrno>
#include <filesystem>
#include <iterator>

#include "execute/two_ways.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

long open_files() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
}

// Fails reads that reach byte `at` or go beyond it.
ExecuteOptions failing_at(std::uint64_t at, long result, int error, unsigned threads) {
  ExecuteOptions options;
  options.threads = threads;
  options.preadv = [=](int fd, const ::iovec* parts, int count, std::uint64_t offset) -> long {
    std::uint64_t bytes = 0;
    for (int i = 0; i != count; ++i) bytes += parts[i].iov_len;
    if (offset <= at && at < offset + bytes) {
      errno = error;
      return result;
    }
    return ::preadv(fd, parts, count, static_cast<off_t>(offset));
  };
  return options;
}

TEST(ReadErrors, name_file_and_reason) {
  Case c;
  fill_two_ways(c, 600'000);
  const long before = open_files();
  for (const unsigned threads : {1U, 4U}) {
    for (const std::uint64_t at : {0U, 299'000U, 301'000U, 599'999U}) {
      EXPECT_TRUE(
          fails_with([&] { c.load(failing_at(at, -1, EIO, threads)); }, Errc::io_read, {"file", "Input/output error"}))
          << at;
    }
  }
  EXPECT_EQ(open_files(), before);
}

TEST(ReadErrors, give_the_offset) {
  Case c;
  c.add_file(arbitrary_bytes(1000));
  Copy& copy = c.add(copy_of(0, DType::U8, 100, {{900, 1, 1}}));
  copy.dst_base = c.reserve(900);
  c.finish();
  const auto error = error_of([&] { c.load(failing_at(500, -1, EBADF, 1)); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->diagnostics()[0].offset, 100);
  EXPECT_EQ(error->diagnostics()[0].file, c.path(0));
}

TEST(ReadErrors, would_block_is_an_error) {
  Case c;
  fill_two_ways(c, 1000);
  EXPECT_TRUE(fails_with([&] { c.load(failing_at(0, -1, EAGAIN, 1)); }, Errc::io_read));
}

TEST(ReadErrors, an_end_too_early) {
  Case c;
  fill_two_ways(c, 600'000);
  const long before = open_files();
  for (const unsigned threads : {1U, 4U})
    EXPECT_TRUE(fails_with([&] { c.load(failing_at(450'000, 0, 0, threads)); }, Errc::io_changed,
                           {"shorter while it was being read", "an end at"}));
  EXPECT_EQ(open_files(), before);
}

TEST(ReadErrors, a_file_cut_off_during_the_load) {
  Case c;
  fill_two_ways(c, 600'000);
  bool first = true;
  ExecuteOptions options;
  options.threads = 1;
  options.preadv = [&](int fd, const ::iovec* parts, int count, std::uint64_t offset) -> long {
    if (first) std::filesystem::resize_file(c.path(1), 1234);
    first = false;
    return ::preadv(fd, parts, count, static_cast<off_t>(offset));
  };
  EXPECT_TRUE(fails_with([&] { c.load(options); }, Errc::io_changed, {"file1", "600000 bytes", "1234 bytes"}));
}

}  // namespace
}  // namespace ballast::test
