#include "ballast/recipe.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/error.hpp"
#include "ballast/sharding.hpp"
#include "convert/convert.hpp"
#include "recipe/traced.hpp"

namespace ballast {

using detail::RecipeKind;
using detail::RecipeNode;
using recipe::traced;

namespace {

[[noreturn]] void fail(Errc code, std::string_view operation, std::string what, std::string expected, std::string got,
                       std::string cause = {}) {
  Diagnostic d;
  d.code = code;
  d.operation = operation;
  d.what = std::move(what);
  d.expected = std::move(expected);
  d.got = std::move(got);
  d.cause = std::move(cause);
  throw Error(std::move(d));
}

void check_axis(std::string_view operation, std::uint64_t axis, std::size_t rank) {
  if (axis >= rank)
    fail(Errc::recipe_invalid, operation, fmt::format("{}: there is no axis {}", operation, axis),
         rank == 0 ? std::string("a tensor with at least one axis") : fmt::format("an axis below {}", rank),
         fmt::format("axis {}", axis));
}

void check_operands(std::string_view operation, std::span<const Recipe> operands) {
  if (operands.empty())
    fail(Errc::recipe_invalid, operation, fmt::format("{} of no tensors", operation), "at least one operand", "none");
  for (const Recipe& operand : operands)
    if (operand.is_nothing())
      fail(Errc::recipe_invalid, operation, fmt::format("{}: an operand holds nothing on this rank", operation),
           "tensors", "nothing");
}

Recipe make(RecipeKind kind, TensorSpec spec, std::span<const Recipe> operands, auto&& fill) {
  auto node = std::make_shared<RecipeNode>();
  node->kind = kind;
  node->spec = spec;
  node->operands.reserve(operands.size());
  for (const Recipe& operand : operands) node->operands.push_back(operand.node());
  fill(*node);
  return Recipe(std::move(node));
}

std::span<const Recipe> one(const Recipe& x) { return {&x, 1}; }

Recipe stack_traced(std::span<const Recipe> operands, std::uint64_t axis) {
  check_axis("stack", axis, operands[0].rank() + 1);
  return recipe::call("stack", {axis, recipe::argument(operands)}, 1);
}

}  // namespace

std::string to_string(const TensorSpec& spec) { return fmt::format("{} {}", name(spec.dtype), to_string(spec.shape)); }

Recipe Recipe::nothing() {
  static const auto node = std::make_shared<const RecipeNode>();
  return Recipe(node);
}

Recipe Recipe::source(std::uint32_t dependency, std::uint32_t element, TensorSpec spec) {
  return make(RecipeKind::source, spec, {}, [&](RecipeNode& node) {
    node.dependency = dependency;
    node.element = element;
  });
}

Recipe Recipe::with_aux(std::string aux_name, Recipe aux) const {
  auto all = std::make_shared<detail::RecipeAux>(this->aux());
  for (const auto& [taken, recipe] : *all)
    if (taken == aux_name)
      fail(Errc::aux_clash, "with_aux", fmt::format("two auxiliary tensors are named '{}'", aux_name),
           "a name of its own for each", aux_name);
  all->emplace_back(std::move(aux_name), std::move(aux));
  Recipe result = *this;
  result.aux_ = std::move(all);
  return result;
}

const detail::RecipeAux& Recipe::aux() const noexcept {
  static const detail::RecipeAux none;
  return aux_ ? *aux_ : none;
}

namespace {

// Of two matrices, one of which would fit if its axes changed places.
std::string cause_of_misfit(const Shape& a, const Shape& b, std::uint64_t axis) {
  if (a.rank() != 2 || b.rank() != 2 || axis > 1) return {};
  if (a[1 - axis] != b[axis] && a[axis] != b[1 - axis]) return {};
  return "one of the tensors is transposed: a Conv1D (GPT-2 style) checkpoint?";
}

}  // namespace

Recipe concat(std::uint64_t axis, std::span<const Recipe> operands) {
  check_operands("concat", operands);
  TensorSpec out = operands[0].spec();
  check_axis("concat", axis, out.shape.rank());
  if (auto call = traced("concat", axis, operands)) return *call;
  for (const Recipe& operand : operands.subspan(1)) {
    if (operand.dtype() != out.dtype)
      fail(Errc::dtype_mismatch, "concat", "concat of tensors with different dtypes", std::string(name(out.dtype)),
           std::string(name(operand.dtype())));
    Shape alike = operand.shape();
    if (alike.rank() == out.shape.rank()) alike[axis] = out.shape[axis];
    if (!(alike == out.shape))
      fail(Errc::shape_mismatch, "concat", fmt::format("concat along axis {} of tensors that differ elsewhere", axis),
           fmt::format("extents of {} but for axis {}", to_string(out.shape), axis), to_string(operand.shape()),
           cause_of_misfit(out.shape, operand.shape(), axis));
    if (__builtin_add_overflow(out.shape[axis], operand.shape()[axis], &out.shape[axis]))
      fail(Errc::too_large, "concat", "concat: the extent overflows 64 bits", "", "");
  }
  return make(RecipeKind::concat, out, operands, [&](RecipeNode& node) { node.axis = axis; });
}

Recipe stack(std::span<const Recipe> operands, std::uint64_t axis) {
  check_operands("stack", operands);
  if (recipe::is_traced(operands)) return stack_traced(operands, axis);
  const TensorSpec& each = operands[0].spec();
  for (const Recipe& operand : operands.subspan(1))
    if (!(operand.spec() == each))
      fail(operand.dtype() == each.dtype ? Errc::shape_mismatch : Errc::dtype_mismatch, "stack",
           "stack of tensors that are not alike", to_string(each), to_string(operand.spec()));
  check_axis("stack", axis, each.shape.rank() + 1);
  if (each.shape.rank() == Shape::kMaxRank)
    fail(Errc::rank_too_large, "stack", "stack: too many dimensions", "", to_string(each.shape));
  TensorSpec out{each.dtype, {}};
  for (std::size_t i = 0; i <= each.shape.rank(); ++i)
    out.shape.push_back(i == axis ? operands.size() : each.shape[i < axis ? i : i - 1]);
  return make(RecipeKind::stack, out, operands, [&](RecipeNode& node) { node.axis = axis; });
}

Recipe slice(const Recipe& x, std::uint64_t axis, std::uint64_t begin, std::uint64_t end) {
  check_operands("slice", one(x));
  check_axis("slice", axis, x.rank());
  if (auto call = traced("slice", x, axis, begin, end)) return *call;
  if (begin > end || end > x.shape()[axis])
    fail(Errc::shape_mismatch, "slice", fmt::format("slice [{}, {}) leaves axis {}", begin, end, axis),
         fmt::format("a range within [0, {})", x.shape()[axis]), fmt::format("[{}, {})", begin, end));
  if (begin == 0 && end == x.shape()[axis]) return Recipe(x.node());
  TensorSpec out = x.spec();
  out.shape[axis] = end - begin;
  return make(RecipeKind::slice, out, one(x), [&](RecipeNode& node) {
    node.axis = axis;
    node.begin = begin;
  });
}

Recipe half(const Recipe& x, std::uint64_t axis, std::uint64_t which) {
  check_operands("half", one(x));
  check_axis("half", axis, x.rank());
  if (auto call = traced("half", x, axis, which)) return *call;
  const std::uint64_t extent = x.shape()[axis];
  if (extent % 2 != 0 || which > 1)
    fail(Errc::shape_mismatch, "half", fmt::format("axis {} has no halves", axis), "an even extent, and half 0 or 1",
         fmt::format("half {} of {}", which, extent));
  return slice(x, axis, which * (extent / 2), (which + 1) * (extent / 2));
}

Recipe reshape(const Recipe& x, const Shape& shape) {
  check_operands("reshape", one(x));
  if (auto call = traced("reshape", x, shape)) return *call;
  const auto wanted = shape.checked_numel();
  if (!wanted || *wanted != x.shape().numel())
    fail(Errc::shape_mismatch, "reshape", fmt::format("reshape to {} changes the number of elements", to_string(shape)),
         fmt::format("{} elements, as in {}", x.shape().numel(), to_string(x.shape())),
         wanted ? fmt::format("{} elements", *wanted) : std::string("more than 64 bits hold"));
  if (shape == x.shape()) return Recipe(x.node());
  return make(RecipeKind::reshape, {x.dtype(), shape}, one(x), [](RecipeNode&) {});
}

Recipe permute(const Recipe& x, std::span<const std::uint64_t> order) {
  check_operands("permute", one(x));
  TensorSpec out{x.dtype(), {}};
  std::array<std::uint8_t, Shape::kMaxRank> axes{};
  std::uint32_t seen = 0;
  bool identity = true;
  for (std::size_t i = 0; i < order.size() && i < x.rank(); ++i) {
    check_axis("permute", order[i], x.rank());
    seen |= 1U << order[i];
    axes[i] = static_cast<std::uint8_t>(order[i]);
    out.shape.push_back(x.shape()[order[i]]);
    identity = identity && order[i] == i;
  }
  if (order.size() != x.rank() || seen != (1U << x.rank()) - 1U)
    fail(Errc::recipe_invalid, "permute", "permute: the order does not name each axis once",
         fmt::format("each of {} axes once", x.rank()), fmt::format("[{}]", fmt::join(order, ", ")));
  if (auto call = traced("permute", x, order)) return *call;
  if (identity) return Recipe(x.node());
  return make(RecipeKind::permute, out, one(x), [&](RecipeNode& node) { node.order = axes; });
}

Recipe permute(const Recipe& x, std::initializer_list<std::uint64_t> order) {
  return permute(x, std::span(order.begin(), order.size()));
}

Recipe transpose(const Recipe& x, std::uint64_t axis_a, std::uint64_t axis_b) {
  check_axis("transpose", axis_a, x.rank());
  check_axis("transpose", axis_b, x.rank());
  if (auto call = traced("transpose", x, axis_a, axis_b)) return *call;
  std::array<std::uint64_t, Shape::kMaxRank> order{};
  for (std::size_t i = 0; i < x.rank(); ++i) order[i] = i;
  std::swap(order[axis_a], order[axis_b]);
  return permute(x, std::span<const std::uint64_t>(order).first(x.rank()));
}

Recipe interleave(std::uint64_t axis, std::span<const Recipe> operands) {
  check_operands("interleave", operands);
  check_axis("interleave", axis, operands[0].rank());
  if (auto call = traced("interleave", axis, operands)) return *call;
  Shape shape = operands[0].shape();
  if (__builtin_mul_overflow(shape[axis], operands.size(), &shape[axis]))
    fail(Errc::too_large, "interleave", "interleave: the extent overflows 64 bits", "", "");
  return reshape(stack(operands, axis + 1), shape);
}

Recipe cast(const Recipe& x, DType dtype) {
  check_operands("cast", one(x));
  if (auto call = traced("cast", x, dtype)) return *call;
  if (x.dtype() == dtype) return Recipe(x.node());
  if (convert::find_kernel(x.dtype(), dtype) == nullptr)
    fail(Errc::dtype_unsupported, "cast",
         fmt::format("values of {} cannot be turned into {} yet", name(x.dtype()), name(dtype)),
         "a dtype with a conversion", fmt::format("{} to {}", name(x.dtype()), name(dtype)));
  return make(RecipeKind::cast, {dtype, x.shape()}, one(x), [](RecipeNode&) {});
}

Recipe shard(const Recipe& x, std::uint64_t axis, std::uint64_t rank, std::uint64_t ranks, std::uint64_t granularity) {
  check_operands("shard", one(x));
  check_axis("shard", axis, x.rank());
  if (auto call = traced("shard", x, axis, rank, ranks, granularity)) return *call;
  if (ranks == 1 && rank == 0) return Recipe(x.node());  // one rank holds everything, whatever the granularity
  const Range range = shard_endpoints(x.shape()[axis], rank, ranks, granularity);
  return slice(x, axis, range.begin, range.end);
}

Recipe custom(std::string custom_name, std::span<const Recipe> operands, TensorSpec out, CustomFunction function) {
  check_operands(custom_name, operands);
  if (auto call = traced("custom", operands)) return *call;
  const auto numel = out.shape.checked_numel();
  if (!numel || !byte_size(out.dtype, *numel))
    fail(Errc::too_large, custom_name, "the result of a custom operation overflows 64 bits", "", to_string(out));
  if (!function) fail(Errc::recipe_invalid, custom_name, "a custom operation without a function", "a function", "none");
  return make(RecipeKind::custom, out, operands, [&](RecipeNode& node) {
    node.name = std::move(custom_name);
    node.function = std::move(function);
  });
}

}  // namespace ballast
