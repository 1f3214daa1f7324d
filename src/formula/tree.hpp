// A formula that has been read, and what may be wrong with one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/detail/formula_syntax.hpp"
#include "ballast/error.hpp"

namespace ballast::formula {

using Op = detail::FormulaOp;

inline constexpr std::size_t kMostBytes = 16'384;
inline constexpr std::size_t kMostNodes = 1024;

struct Node {
  Op op = Op::number;
  std::uint32_t position = 0;  // of its first character, or of its operator
  std::string text;            // a name, a path, a text, a function
  std::uint64_t number = 0;
  std::vector<std::uint32_t> operands;  // indices of nodes before this one
};

struct Tree {
  std::string text;
  std::vector<Node> nodes;
  [[nodiscard]] const Node& root() const { return nodes.back(); }
};

// One thing that is wrong, at a character of the formula.
struct Fault {
  std::size_t position = 0;
  std::string what;
  std::string expected{};
  std::string got{};
  std::string nearest{};
  Errc code = Errc::formula_invalid;
};

// Nothing where the text is no formula: a fault is added then.
[[nodiscard]] std::optional<Tree> parse(std::string_view text, std::vector<Fault>& faults);

// Of a formula that is known by its text alone.
[[nodiscard]] Diagnostic to_diagnostic(const Fault& fault, std::string_view formula);

}  // namespace ballast::formula
