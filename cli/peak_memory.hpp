#pragma once

#include <cstdint>

namespace ballast::cli {

// The most memory that this process has had resident, in bytes.
[[nodiscard]] std::uint64_t peak_memory();

}  // namespace ballast::cli
