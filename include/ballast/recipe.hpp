// Recipes: symbolic expressions over the dependencies of a parameter.
//
// A recipe says how the final tensor is made of stored ones. It is built once per parameter, at plan time, when the
// shapes and dtypes of all operands are known from headers; every operation checks its operands right then and throws
// Error(shape_mismatch | dtype_mismatch | recipe_invalid) with what it expected and what it got. No weight is touched:
// the planner turns the expression into copies from file extents to the tensor's final place, and the streaming door
// runs the same copies on tensors in memory.
//
// Tensors are row-major. Axes count from 0, outermost first. Recipes are immutable, cheap to copy and safe to share
// between threads.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ballast/dtype.hpp"
#include "ballast/shape.hpp"

namespace ballast {

struct TensorSpec {
  DType dtype = DType::F32;
  Shape shape;
  friend bool operator==(const TensorSpec&, const TensorSpec&) = default;
};

// "BF16 [576, 1536]"
[[nodiscard]] std::string to_string(const TensorSpec& spec);

class Recipe;

// What a custom operation does once its operands lie in memory: reads `operands` (each contiguous, row-major, as the
// operand recipes said) and fills `out` completely. Called once all files are read, by the thread that loads;
// what it throws is reported with the operation's name.
using CustomFunction =
    std::function<void(std::span<const std::span<const std::byte>> operands, std::span<std::byte> out)>;

namespace detail {

// `call` stands for an operation that is written down instead of done (src/recipe/traced.hpp); no plan has one.
enum class RecipeKind : std::uint8_t { nothing, source, concat, stack, slice, reshape, permute, cast, custom, call };

struct RecipeNode {
  RecipeKind kind = RecipeKind::nothing;
  TensorSpec spec;
  std::vector<std::shared_ptr<const RecipeNode>> operands;
  std::uint64_t axis = 0;                             // concat, stack, slice
  std::uint64_t begin = 0;                            // slice; its extent is spec.shape[axis]
  std::uint32_t dependency = 0;                       // source: index among the parameter's dependencies
  std::uint32_t element = 0;                          // source: index in a list dependency
  std::array<std::uint8_t, Shape::kMaxRank> order{};  // permute: result axis i is operand axis order[i]
  std::string name;                                   // custom
  CustomFunction function;                            // custom
};

using RecipeAux = std::vector<std::pair<std::string, Recipe>>;

}  // namespace detail

class Recipe {
 public:
  // A parameter that holds nothing on this rank (a bias that lives on rank 0). It counts as loaded.
  [[nodiscard]] static Recipe nothing();
  // One stored tensor: element `element` (0 unless a list) of dependency number `dependency` of the parameter.
  [[nodiscard]] static Recipe source(std::uint32_t dependency, std::uint32_t element, TensorSpec spec);

  [[nodiscard]] bool is_nothing() const noexcept { return node_->kind == detail::RecipeKind::nothing; }
  // By value from a temporary, whose node may go with it.
  [[nodiscard]] const TensorSpec& spec() const& noexcept { return node_->spec; }
  [[nodiscard]] TensorSpec spec() const&& noexcept { return node_->spec; }
  [[nodiscard]] const Shape& shape() const& noexcept { return node_->spec.shape; }
  [[nodiscard]] Shape shape() const&& noexcept { return node_->spec.shape; }
  [[nodiscard]] DType dtype() const noexcept { return node_->spec.dtype; }
  [[nodiscard]] std::size_t rank() const noexcept { return shape().rank(); }

  // This recipe with one more auxiliary tensor (scales and the like), which is loaded and moved with it. Throws
  // Error(aux_clash) where the name is taken. Operations drop the auxiliaries of their operands.
  [[nodiscard]] Recipe with_aux(std::string aux_name, Recipe aux) const;
  [[nodiscard]] const detail::RecipeAux& aux() const noexcept;

  // For the planner and for the operations.
  [[nodiscard]] const std::shared_ptr<const detail::RecipeNode>& node() const& noexcept { return node_; }
  [[nodiscard]] std::shared_ptr<const detail::RecipeNode> node() const&& noexcept { return node_; }
  explicit Recipe(std::shared_ptr<const detail::RecipeNode> node) : node_(std::move(node)) {}

 private:
  std::shared_ptr<const detail::RecipeNode> node_;
  std::shared_ptr<const detail::RecipeAux> aux_;
};

// Joins along an existing axis. All operands have the same dtype and rank, and the same extents elsewhere.
[[nodiscard]] Recipe concat(std::uint64_t axis, std::span<const Recipe> operands);
// Joins equal tensors along a new axis.
[[nodiscard]] Recipe stack(std::span<const Recipe> operands, std::uint64_t axis = 0);
// [begin, end) of one axis.
[[nodiscard]] Recipe slice(const Recipe& x, std::uint64_t axis, std::uint64_t begin, std::uint64_t end);
// The first (0) or the second (1) half of an axis of even extent.
[[nodiscard]] Recipe half(const Recipe& x, std::uint64_t axis, std::uint64_t which);
// Same elements in the same order, other extents.
[[nodiscard]] Recipe reshape(const Recipe& x, const Shape& shape);
// Result axis i is axis order[i] of x.
[[nodiscard]] Recipe permute(const Recipe& x, std::span<const std::uint64_t> order);
[[nodiscard]] Recipe permute(const Recipe& x, std::initializer_list<std::uint64_t> order);
[[nodiscard]] Recipe transpose(const Recipe& x, std::uint64_t axis_a, std::uint64_t axis_b);
// a0, b0, a1, b1, ... along an axis; all operands alike.
[[nodiscard]] Recipe interleave(std::uint64_t axis, std::span<const Recipe> operands);
// Another dtype, rounded to nearest even; also dequantises block types. Throws Error(dtype_unsupported) where there is
// no such conversion.
[[nodiscard]] Recipe cast(const Recipe& x, DType dtype);
// This rank's part of an axis, by shard_endpoints (sharding.hpp).
[[nodiscard]] Recipe shard(const Recipe& x, std::uint64_t axis, std::uint64_t rank, std::uint64_t ranks,
                           std::uint64_t granularity);
// The named escape for what the others cannot express. The operands are materialised in scratch memory first, so this
// costs their size for the time of the call.
[[nodiscard]] Recipe custom(std::string name, std::span<const Recipe> operands, TensorSpec out,
                            CustomFunction function);

// The same with the operands written out: concat(0, q_params, k_params, v_params).
template <std::convertible_to<Recipe>... Operands>
[[nodiscard]] Recipe concat(std::uint64_t axis, const Operands&... operands) {
  const std::array<Recipe, sizeof...(Operands)> all{static_cast<Recipe>(operands)...};
  return concat(axis, std::span<const Recipe>(all));
}
template <std::convertible_to<Recipe>... Operands>
[[nodiscard]] Recipe interleave(std::uint64_t axis, const Operands&... operands) {
  const std::array<Recipe, sizeof...(Operands)> all{static_cast<Recipe>(operands)...};
  return interleave(axis, std::span<const Recipe>(all));
}

}  // namespace ballast
