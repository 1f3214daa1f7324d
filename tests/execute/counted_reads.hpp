// How often each byte of a file is read.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <mutex>
#include <vector>

#include "ballast/execute.hpp"

namespace ballast::test {

// For a load of one file, while it lives.
struct CountedReads {
  explicit CountedReads(std::size_t bytes) : times(bytes) {}

  ExecuteOptions options(unsigned threads) {
    ExecuteOptions options;
    options.threads = threads;
    options.preadv = [this](int fd, const ::iovec* parts, int count, std::uint64_t offset) -> long {
      const long got = ::preadv(fd, parts, count, static_cast<off_t>(offset));
      const std::lock_guard lock(mutex);
      for (long i = 0; i < got; ++i) ++times[offset + static_cast<std::uint64_t>(i)];
      return got;
    };
    return options;
  }

  std::mutex mutex;
  std::vector<int> times;
};

}  // namespace ballast::test
