// Patterns with formulas in braces: "model.layers.{n_layers}".
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "formula/tree.hpp"

namespace ballast::formula {

struct PatternPart {
  std::string text;          // literal, or a formula
  std::size_t position = 0;  // in the pattern
  bool is_formula = false;
};

// Adds a fault for a brace without its other one.
[[nodiscard]] std::vector<PatternPart> split_pattern(std::string_view pattern, std::vector<Fault>& faults);

}  // namespace ballast::formula
