// What the threads of one load share: whether to go on, how far they are, and what went wrong first.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <mutex>

#include "ballast/execute.hpp"

namespace ballast::execution {

// Thrown in a thread that stops because another one failed. Never leaves the thread.
struct Stopped {};

class Control {
 public:
  Control(const ExecuteOptions& options, std::uint64_t bytes_total) : options_(options), bytes_total_(bytes_total) {}

  [[nodiscard]] const ExecuteOptions& options() const noexcept { return options_; }

  // Throws Error(cancelled), or Stopped.
  void check() const;
  // Keeps the first exception of all threads and makes the others stop.
  void fail(std::exception_ptr error) noexcept;
  void rethrow_if_failed() const;

  // Counts, and calls the progress function where it is time to. What that throws goes through.
  void add_bytes_done(std::uint64_t bytes);
  // Once, when all is done.
  void report_end();

 private:
  using Clock = std::chrono::steady_clock;

  const ExecuteOptions& options_;
  const std::uint64_t bytes_total_;
  std::atomic<bool> stopped_ = false;
  mutable std::mutex error_mutex_;
  std::exception_ptr error_;
  std::atomic<std::uint64_t> bytes_done_ = 0;
  std::mutex progress_mutex_;
  Clock::time_point next_report_ = Clock::now();
};

}  // namespace ballast::execution
