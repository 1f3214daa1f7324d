#pragma once

#include <chrono>

namespace ballast {

class Stopwatch {
 public:
  // Seconds since it was made or last asked.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace ballast
