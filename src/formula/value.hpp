// What formulas are about: kinds, known when a formula is checked, and values, known when it is evaluated.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ballast/recipe.hpp"

namespace ballast::formula {

enum class Kind : std::uint8_t {
  any,  // of a config: known when it is read
  boolean,
  number,
  text,
  list,     // of numbers or texts
  tensor,   // a recipe
  tensors,  // a list of recipes
};

[[nodiscard]] std::string_view name(Kind kind) noexcept;  // "a number"

struct Absent {
  std::string what;            // "'n_inner' in the config"
  bool reads_as_zero = false;  // where it is not asked for with '??'
};
using Scalar = std::variant<std::uint64_t, std::string>;
using List = std::vector<Scalar>;
using Tensors = std::vector<Recipe>;
using Value = std::variant<Absent, bool, std::uint64_t, std::string, List, Recipe, Tensors>;

[[nodiscard]] Kind kind_of(const Value& value) noexcept;

}  // namespace ballast::formula
