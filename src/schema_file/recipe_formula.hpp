// A parameter's recipe as a formula: what `finalize` is in C++.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ballast/schema.hpp"
#include "formula/tree.hpp"

namespace ballast::schema_file {

struct FormRecipe {
  std::uint32_t form = 0;  // 0: the parameter has no forms
  formula::Tree recipe;
};

// The finalize of a parameter with such dependencies.
[[nodiscard]] std::function<Recipe(const ModelContext&, const Operands&)> finalize_by(
    std::vector<DependencySchema> dependencies, std::vector<FormRecipe> forms);

}  // namespace ballast::schema_file
