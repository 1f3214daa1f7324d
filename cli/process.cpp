#include "process.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>

namespace ballast::cli {

namespace {

// 0, or the errno of the write that failed.
int write_all(int descriptor, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t n = ::write(descriptor, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

}  // namespace

void prepare_process() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor)
    if (::fcntl(descriptor, F_GETFD) == -1 && errno == EBADF)
      if (::open("/dev/null", O_RDWR) != descriptor) std::abort();
  std::signal(SIGPIPE, SIG_IGN);  // NOLINT(cert-err33-c): it cannot fail
  // For the width of characters alone. What is printed is UTF-8, whatever the environment says.
  std::setlocale(LC_CTYPE, "C.UTF-8");
}

int print(std::string_view text) noexcept {
  const int failure = write_all(STDOUT_FILENO, text);
  if (failure == 0 || failure == EPIPE) return 0;
  print_error("ballast: could not write to standard output: ");
  print_error(std::strerror(failure));
  print_error("\n");
  return 1;
}

void print_error(std::string_view text) noexcept { (void)write_all(STDERR_FILENO, text); }

}  // namespace ballast::cli
