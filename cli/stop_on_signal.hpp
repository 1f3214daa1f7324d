// Ctrl-C and SIGTERM as a request to stop.
#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace ballast::cli {

// While one of these lives, SIGINT and SIGTERM ask `token()` to stop; a second one ends the process at once. To be made
// before other threads are, which then leave the signals to it. There is no signal handler: a thread waits for the
// signals, so nothing has to be safe inside one. A signal that the process was started to ignore stays ignored.
class StopOnSignal {
 public:
  StopOnSignal();
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  [[nodiscard]] std::stop_token token() const noexcept { return source_.get_token(); }

 private:
  void wait_for_signals();

  std::stop_source source_;
  sigset_t signals_{};
  sigset_t before_{};
  std::thread thread_;
};

}  // namespace ballast::cli
