// What `ballast plan` says of a prepared load.
#pragma once

#include <string>

#include "ballast/load.hpp"
#include "json.hpp"

namespace ballast::cli {

struct PlanTotals {
  std::uint64_t copies = 0;
  std::uint64_t conversions = 0;    // copies that convert
  std::uint64_t groups_direct = 0;  // read groups that can go straight into place
  std::uint64_t groups_staged = 0;
  std::uint64_t bytes_direct = 0;  // of the bytes needed
  std::uint64_t bytes_staged = 0;
};
[[nodiscard]] PlanTotals totals_of(const Plan& plan);

// What a copy is for: a tensor of the arena, or an operand of a custom operation.
[[nodiscard]] std::string target_name(const PreparedLoad& prepared, const Copy& copy);

[[nodiscard]] std::string plan_text(const PreparedLoad& prepared, bool all);
[[nodiscard]] Json plan_json(const PreparedLoad& prepared, bool all);

}  // namespace ballast::cli
