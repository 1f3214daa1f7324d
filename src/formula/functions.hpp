// The functions that formulas can call: those of recipe.hpp and the transforms of ModelContext.
#pragma once

#include <span>
#include <string_view>

#include "ballast/model_context.hpp"
#include "formula/value.hpp"

namespace ballast::formula {

struct Function {
  std::string_view name;
  // A letter an argument: t tensor, n number, l list of numbers, s text, d dtype as text, c list of either sort;
  // a last '*' takes one or more tensors or lists of tensors, joined.
  std::string_view arguments;
  std::string_view shown;  // "slice(x, axis, begin, end)"
  Kind result = Kind::tensor;
  // Arguments are of the right kinds, with all of '*' as one list of tensors.
  Value (*call)(const ModelContext&, std::span<const Value>) = nullptr;
};

// Null where there is none.
[[nodiscard]] const Function* find_function(std::string_view name) noexcept;
[[nodiscard]] std::span<const Function> all_functions() noexcept;

// present(dependency), each(recipe), element(list, i): their arguments are more than values.
[[nodiscard]] bool is_special(std::string_view name) noexcept;

[[nodiscard]] Kind argument_kind(char letter) noexcept;

}  // namespace ballast::formula
