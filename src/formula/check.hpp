// What can be known of a formula before its numbers are: its names, functions, and kinds.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "formula/tree.hpp"
#include "formula/value.hpp"

namespace ballast::formula {

// The names that a formula may use.
struct Names {
  std::map<std::string, Kind, std::less<>> kinds;
  std::vector<std::string> optionals;  // of those, the dependencies that present() may ask for
  bool reads_config = false;           // config.x and gguf.x
  bool makes_tensors = false;          // a recipe: all functions; else those of numbers
};

// Adds everything that is wrong, also that the formula's kind is not `wanted`.
void check(const Tree& tree, const Names& names, Kind wanted, std::vector<Fault>& faults);

// Parses and checks; nothing where anything is wrong.
[[nodiscard]] std::optional<Tree> compile(std::string_view text, const Names& names, Kind wanted,
                                          std::vector<Fault>& faults);

}  // namespace ballast::formula
