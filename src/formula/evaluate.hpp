// What a formula gives in one model.
#pragma once

#include <string_view>

#include "ballast/model_context.hpp"
#include "formula/tree.hpp"
#include "formula/value.hpp"

namespace ballast::formula {

// Where the names of a formula get their values.
class Scope {
 public:
  Scope() = default;
  virtual ~Scope() = default;
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  // Lives until the next call. Null where there is no such name.
  [[nodiscard]] virtual const Value* find(std::string_view name) = 0;
  // "config.a.b", "gguf.a.b"
  [[nodiscard]] virtual Value read(std::string_view path) = 0;
  // Whether an optional dependency is there.
  [[nodiscard]] virtual bool is_present(std::string_view dependency) = 0;
  // Whose transforms the formula calls.
  [[nodiscard]] virtual const ModelContext& model() const = 0;
};

// Thrown as this; makers of errors say whose formula it was. What the operations of recipe.hpp throw is Error.
struct Trouble {
  Fault fault;
};

[[nodiscard]] Value evaluate(const Tree& tree, Scope& scope);

// The value as a number (an absent one that may be read so is 0, true is 1) or a condition. `node` is where it stands.
[[nodiscard]] std::uint64_t as_number(const Value& value, const Node& node);
[[nodiscard]] bool as_condition(const Value& value, const Node& node);

}  // namespace ballast::formula
