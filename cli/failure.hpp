// What is said when a command fails, and when it succeeds with doubts.
#pragma once

#include <vector>

#include "ballast/error.hpp"

namespace ballast::cli {

// To be called while an exception is handled: text to standard error, with `json` also an object to standard output.
// Gives the exit status.
[[nodiscard]] int report_failure(bool json) noexcept;

void report_warnings(const std::vector<Diagnostic>& warnings);

}  // namespace ballast::cli
