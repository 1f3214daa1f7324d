#include "execute/read_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <system_error>
#include <utility>

#include "ballast/error.hpp"

namespace ballast::execution {
namespace {

constexpr std::size_t kMostParts = IOV_MAX;
// More in one call would make a cancelled load wait for it.
constexpr std::uint64_t kMostBytes = 8ULL << 20;

}  // namespace

void ReadBatch::add(std::uint64_t offset, std::byte* to, std::uint64_t bytes, Route route) {
  (route == Route::direct ? stats_.bytes_direct : stats_.bytes_staged) += bytes;
  while (bytes != 0) {
    if (!parts_.empty() && (offset != end_ || parts_.size() == kMostParts || end_ - begin_ == kMostBytes)) flush();
    if (parts_.empty()) begin_ = end_ = offset;
    const std::uint64_t some = std::min(bytes, kMostBytes - (end_ - begin_));
    if (!parts_.empty() && static_cast<std::byte*>(parts_.back().iov_base) + parts_.back().iov_len == to)
      parts_.back().iov_len += some;
    else
      parts_.push_back({to, some});
    end_ += some;
    offset += some;
    to += some;
    bytes -= some;
  }
}

void ReadBatch::flush() {
  if (parts_.empty()) return;
  control_.check();
  const auto started = std::chrono::steady_clock::now();
  read();
  stats_.seconds_reading += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  const std::uint64_t bytes = end_ - begin_;
  stats_.bytes_read += bytes;
  parts_.clear();
  control_.add_bytes_done(bytes);
}

void ReadBatch::read() {
  std::uint64_t offset = begin_;
  for (std::size_t first = 0; offset != end_;) {
    const long got = read_some(&parts_[first], static_cast<int>(parts_.size() - first), offset);
    ++stats_.read_calls;
    if (got < 0) {
      if (errno != EINTR) fail(Errc::io_read, offset, errno);
      control_.check();
      continue;
    }
    if (got == 0) fail(Errc::io_changed, offset, 0);
    auto left = static_cast<std::uint64_t>(got);
    offset += left;
    for (; first != parts_.size() && left >= parts_[first].iov_len; ++first) left -= parts_[first].iov_len;
    if (left == 0) continue;
    parts_[first].iov_base = static_cast<std::byte*>(parts_[first].iov_base) + left;
    parts_[first].iov_len -= left;
  }
}

long ReadBatch::read_some(const ::iovec* parts, int count, std::uint64_t offset) const {
  const auto& own = control_.options().preadv;
  if (own) return own(file_->descriptor(), parts, count, offset);
  return ::preadv(file_->descriptor(), parts, count, static_cast<::off_t>(offset));
}

void ReadBatch::fail(Errc code, std::uint64_t offset, int error) const {
  Diagnostic fault;
  fault.code = code;
  fault.operation = "load";
  fault.file = file_->path();
  fault.offset = offset;
  if (code == Errc::io_changed) {
    fault.what = "the file became shorter while it was being read";
    fault.expected = fmt::format("at least {} bytes", end_);
    fault.got = fmt::format("an end at {}", offset);
    fault.cause = "another process is writing it?";
  } else {
    fault.what = "the file cannot be read";
    fault.got = std::generic_category().message(error);
    if (error == EIO) fault.cause = "a failing disk, or a network file system that lost its server?";
  }
  throw Error(std::move(fault));
}

}  // namespace ballast::execution
