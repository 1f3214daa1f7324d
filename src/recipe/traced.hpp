// Operations that are written down instead of done: how the formula of a C++ `finalize` is found out.
//
// A symbol stands for a dependency. An operation on symbols, or on what came of them, checks nothing and gives a node
// that says which operation it was and on what. Extents of such a node are made-up numbers that occur nowhere else, so
// that whoever reads the formula can tell where a number came from.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ballast/recipe.hpp"

namespace ballast::recipe {

using CallArgument = std::variant<Recipe, std::vector<Recipe>, std::uint64_t, std::vector<std::uint64_t>, DType>;

// The made-up extents of one tracing: of every symbol and operation, the same for what is the same.
class Extents {
 public:
  // `number` gives them by index, and 0 when there are no more.
  explicit Extents(std::function<std::uint64_t(std::size_t)> number) : number_(std::move(number)) {}
  // Throws Error(recipe_invalid) when there are no more: a recipe of absurd size.
  [[nodiscard]] const Shape& of(const std::string& key, std::size_t rank);

 private:
  std::function<std::uint64_t(std::size_t)> number_;
  std::size_t handed_out_ = 0;
  std::map<std::string, Shape, std::less<>> known_;
};

struct CallNode : detail::RecipeNode {  // `name` is the operation's; of a symbol, the dependency's
  std::vector<CallArgument> arguments;
  bool is_symbol = false;
  std::optional<std::uint32_t> list_element;  // of a symbol of a list
  std::string key;                            // what it is, in words; elements of a list are alike
  std::shared_ptr<Extents> extents;
};

[[nodiscard]] Recipe symbol(std::string name, std::optional<std::uint32_t> list_element, DType dtype, std::size_t rank,
                            std::shared_ptr<Extents> extents);

// Null where the recipe is an ordinary one.
[[nodiscard]] inline const CallNode* as_call(const detail::RecipeNode& node) noexcept {
  return node.kind == detail::RecipeKind::call ? static_cast<const CallNode*>(&node) : nullptr;
}
[[nodiscard]] inline bool is_traced(const Recipe& x) noexcept { return x.node()->kind == detail::RecipeKind::call; }
[[nodiscard]] inline bool is_traced(std::span<const Recipe> all) noexcept {
  for (const Recipe& x : all)
    if (is_traced(x)) return true;
  return false;
}
template <class T>
[[nodiscard]] constexpr bool is_traced(const T&) noexcept {
  return false;
}

[[nodiscard]] inline CallArgument argument(const Recipe& x) { return x; }
[[nodiscard]] inline CallArgument argument(std::span<const Recipe> all) {
  return std::vector<Recipe>(all.begin(), all.end());
}
[[nodiscard]] inline CallArgument argument(std::uint64_t number) { return number; }
[[nodiscard]] inline CallArgument argument(std::span<const std::uint64_t> numbers) {
  return std::vector<std::uint64_t>(numbers.begin(), numbers.end());
}
[[nodiscard]] inline CallArgument argument(const Shape& shape) { return argument(shape.extents()); }
[[nodiscard]] inline CallArgument argument(DType dtype) { return dtype; }

// `change_of_rank`: of the result, against its first tensor.
[[nodiscard]] Recipe call(std::string_view name, std::vector<CallArgument> arguments, int change_of_rank);

// The operation written down, where it is one on symbols; nothing where it is to be done. Ranks and axes have been
// checked by then, as far as they are.
template <class... Arguments>
[[nodiscard]] std::optional<Recipe> traced(std::string_view name, const Arguments&... arguments) {
  if (!(is_traced(arguments) || ...)) return std::nullopt;
  return call(name, {argument(arguments)...}, 0);
}

}  // namespace ballast::recipe
