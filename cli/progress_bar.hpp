// A bar on standard error while something takes long.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace ballast::cli {

// Shows nothing where standard error is no terminal, and nothing in the first second. Each picture is one write, so
// that it does not flicker. Erased on destruction.
class ProgressBar {
 public:
  explicit ProgressBar(std::string label);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // From one thread at a time.
  void update(std::uint64_t done, std::uint64_t total);

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  bool wanted_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_;
};

}  // namespace ballast::cli
