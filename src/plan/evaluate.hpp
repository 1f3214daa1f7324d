// From a recipe to copies.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/plan.hpp"
#include "plan/layout.hpp"

namespace ballast::plan {

// Where the copies of one parameter take their elements from.
struct Sources {
  // Entry for dependency d, element e: stored[first[d] + e] is an index that the copies carry as their source.
  std::span<const std::uint32_t> first;
  std::span<const std::uint32_t> stored;
};

// Where a copy goes: which entry of the plan's tensors or scratch, and where that starts.
struct CopyTarget {
  std::uint32_t index = 0;
  bool is_scratch = false;
};

// Bytes of a final tensor. Throws Error(dtype_unsupported) where it is not a whole number of blocks of its dtype.
[[nodiscard]] std::uint64_t bytes_of_result(const TensorSpec& spec);

// Evaluates recipes into a plan. Custom operations become scratch tensors and steps of the plan.
class Evaluator {
 public:
  // The names are those of the parameter, for messages; they outlive the evaluator.
  Evaluator(Plan& plan, std::string_view container, std::string_view parameter, Sources sources)
      : plan_(plan), container_(container), parameter_(parameter), sources_(sources) {}

  // Appends the copies that make `recipe` in a row-major tensor. Copies from files go to `out`, those from scratch to
  // the plan. Throws Error where strided copies cannot express it or where a block type would be cut inside a block.
  void emit(const Recipe& recipe, CopyTarget target, std::vector<Copy>& out);

 private:
  [[nodiscard]] Layout evaluate(const detail::RecipeNode& node, std::vector<Copy>& out);
  [[nodiscard]] Layout evaluate_custom(const detail::RecipeNode& node, std::vector<Copy>& out);
  [[nodiscard]] std::uint32_t new_scratch(const TensorSpec& spec);
  void emit_layout(const Layout& layout, DType dtype, CopyTarget target, std::vector<Copy>& out);

  Plan& plan_;
  std::string_view container_;
  std::string_view parameter_;
  Sources sources_;
};

}  // namespace ballast::plan
