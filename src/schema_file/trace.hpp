// The formula of a C++ `finalize`, found out by running it.
//
// `finalize` is run with symbols in place of tensors (recipe/traced.hpp), in every case that it may tell apart: of a
// GGUF file or not, with each optional dependency there or absent, and so on; what differs becomes a condition. Numbers
// reach it as plain integers. So each case is run in several made-up models, in which every number of the context and
// every extent is another one, and a number of the recipe is looked for among all formulas of a few names: it is the
// one that gives the right value in every model (trace_numbers.hpp).
#pragma once

#include <string>
#include <vector>

#include "ballast/error.hpp"
#include "ballast/schema.hpp"

namespace ballast::schema_file {

struct TracedForm {
  std::uint32_t form = 0;  // 0: the parameter has no forms
  std::string recipe;
};

// Entries of ModelContext::extra that a recipe may use.
struct ContextNames {
  std::vector<std::string> numbers;
  std::vector<std::string> conditions;  // kept as 1 and 0
};

// Throws Error(invalid_argument) where the recipe is no formula.
[[nodiscard]] std::vector<TracedForm> trace(const ParameterSchema& parameter, const ContextNames& names);

}  // namespace ballast::schema_file
