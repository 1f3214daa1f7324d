#include "stop_on_signal.hpp"

#include <pthread.h>
#include <unistd.h>

#include <initializer_list>

#include "program.hpp"

namespace ballast::cli {

namespace {

constexpr int kGoHome = SIGUSR1;  // tells the waiting thread that it is no longer needed

bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

StopOnSignal::StopOnSignal() {
  ::sigemptyset(&signals_);
  for (const int signal : {SIGINT, SIGTERM})
    if (!is_ignored(signal)) ::sigaddset(&signals_, signal);
  ::sigaddset(&signals_, kGoHome);
  // Threads made from here on have the signals blocked too.
  ::pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  thread_ = std::thread([this] { wait_for_signals(); });
}

StopOnSignal::~StopOnSignal() {
  ::pthread_kill(thread_.native_handle(), kGoHome);
  thread_.join();
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void StopOnSignal::wait_for_signals() {
  int signal = 0;
  while (::sigwait(&signals_, &signal) != 0 || signal != kGoHome)
    if (!source_.request_stop()) ::_exit(kCancelled);
}

}  // namespace ballast::cli
