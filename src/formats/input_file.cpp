#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <system_error>
#include <utility>

#include "ballast/formats.hpp"

namespace ballast {
namespace {

// strerror is not safe to call from several threads.
std::string error_text(int error) { return std::generic_category().message(error); }

Diagnostic file_fault(Errc code, std::string what, const std::string& path, const char* operation) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.what = std::move(what);
  diagnostic.operation = operation;
  diagnostic.file = path;
  return diagnostic;
}

const char* kind_of(mode_t mode) noexcept {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISCHR(mode)) return "a character device";
  if (S_ISBLK(mode)) return "a block device";
  return "a special file";
}

Diagnostic not_regular(mode_t mode, const std::string& path) {
  Diagnostic fault =
      file_fault(Errc::not_a_regular_file, fmt::format("this is {}, not a file", kind_of(mode)), path, "open");
  fault.expected = "a regular file";
  fault.got = kind_of(mode);
  return fault;
}

// A link into a cache whose target was never downloaded, or was cleaned away, is the usual puzzle here.
std::string dangling_link_text(const std::string& path) {
  std::array<char, PATH_MAX> target{};
  const ssize_t length = ::readlink(path.c_str(), target.data(), target.size());
  if (length <= 0) return {};
  return fmt::format("a symbolic link to {}, which does not exist: an incomplete or cleaned download cache?",
                     std::string_view(target.data(), static_cast<std::size_t>(length)));
}

Diagnostic cannot_open(int error, const std::string& path) {
  struct stat status {};
  // A socket cannot be opened at all; say what it is rather than "no such device or address".
  if (error == ENXIO && ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    return not_regular(status.st_mode, path);
  Diagnostic fault = file_fault(Errc::io_open, "the file cannot be opened", path, "open");
  fault.got = error_text(error);
  if (error == ENOENT) fault.cause = dangling_link_text(path);
  return fault;
}

}  // namespace

InputFile::InputFile(std::string path) : path_(std::move(path)) {
  if (path_.find('\0') != std::string::npos)  // open() would take what comes before it for the whole
    throw Error(file_fault(Errc::io_open, "the path holds a NUL character", path_, "open"));
  // O_NONBLOCK: opening a FIFO must not wait for its writer. It changes nothing for regular files.
  do fd_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  while (fd_ < 0 && errno == EINTR);
  if (fd_ < 0) throw Error(cannot_open(errno, path_));

  struct stat status {};
  Diagnostic fault;
  if (::fstat(fd_, &status) != 0) {
    fault = file_fault(Errc::io_open, "the file cannot be examined", path_, "open");
    fault.got = error_text(errno);
  } else if (!S_ISREG(status.st_mode)) {
    fault = not_regular(status.st_mode, path_);
  } else {
    size_ = static_cast<std::uint64_t>(status.st_size);
    identity_ = {status.st_dev, status.st_ino, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
    return;
  }
  ::close(std::exchange(fd_, -1));
  throw Error(std::move(fault));
}

InputFile::~InputFile() {
  if (fd_ >= 0) ::close(fd_);
}

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)),
      fd_(std::exchange(other.fd_, -1)),
      size_(std::exchange(other.size_, 0)),
      identity_(other.identity_) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  if (this == &other) return *this;
  if (fd_ >= 0) ::close(fd_);
  path_ = std::move(other.path_);
  fd_ = std::exchange(other.fd_, -1);
  size_ = std::exchange(other.size_, 0);
  identity_ = other.identity_;
  return *this;
}

void InputFile::read_at(std::uint64_t offset, void* bytes, std::uint64_t count) const {
  const auto fail = [this](Errc code, std::string what, std::uint64_t at, std::string expected, std::string got,
                           std::string cause) {
    Diagnostic fault = file_fault(code, std::move(what), path_, "read");
    fault.offset = at;
    fault.expected = std::move(expected);
    fault.got = std::move(got);
    fault.cause = std::move(cause);
    throw Error(std::move(fault));
  };
  if (offset > size_ || count > size_ - offset)
    fail(Errc::io_read, "a read goes beyond the end of the file", offset, fmt::format("at most {} bytes in all", size_),
         fmt::format("{} bytes asked for", count), "");

  auto* to = static_cast<char*>(bytes);
  for (std::uint64_t done = 0; done < count;) {
    // Linux moves at most 2 GiB a call, and other systems refuse more.
    const auto chunk = static_cast<std::size_t>(std::min<std::uint64_t>(count - done, std::uint64_t{1} << 30));
    const ssize_t got = ::pread(fd_, to + done, chunk, static_cast<off_t>(offset + done));
    if (got > 0) {
      done += static_cast<std::uint64_t>(got);
      continue;
    }
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      fail(Errc::io_read, "the file cannot be read", offset + done, "", error_text(errno),
           errno == EIO ? "a failing disk, or a network file system that lost its server?" : "");
    struct stat status {};
    const std::string now = ::fstat(fd_, &status) == 0 ? fmt::format("{} bytes now", status.st_size) : "an early end";
    fail(Errc::io_changed, "the file became shorter while it was being read", offset + done,
         fmt::format("{} bytes, as when it was opened", size_), now, "another process is writing it?");
  }
}

}  // namespace ballast
