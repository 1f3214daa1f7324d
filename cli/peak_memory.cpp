#include "peak_memory.hpp"

#include <sys/resource.h>

#include <fstream>
#include <string>

namespace ballast::cli {

std::uint64_t peak_memory() {
  // Not ru_maxrss where it can be helped: that begins with what the parent had at the time of exec.
  std::ifstream status("/proc/self/status");
  for (std::string key; status >> key;) {
    std::uint64_t kibibytes = 0;
    if (key == "VmHWM:" && status >> kibibytes) return kibibytes * 1024;
    std::getline(status, key);
  }
  rusage usage{};
  return ::getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::uint64_t>(usage.ru_maxrss) * 1024 : 0;
}

}  // namespace ballast::cli
