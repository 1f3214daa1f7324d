#include "formula/functions.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "ballast/dtype.hpp"
#include "ballast/error.hpp"

namespace ballast::formula {

namespace {

using Arguments = std::span<const Value>;

const Recipe& tensor(const Value& value) { return std::get<Recipe>(value); }
std::uint64_t number(const Value& value) { return std::get<std::uint64_t>(value); }
const Tensors& tensors(const Value& value) { return std::get<Tensors>(value); }

std::vector<std::uint64_t> numbers(const Value& value) {
  std::vector<std::uint64_t> all;
  for (const Scalar& one : std::get<List>(value)) all.push_back(std::get<std::uint64_t>(one));
  return all;
}

[[noreturn]] void refuse(Errc code, std::string what, std::string expected, std::string got) {
  throw Error(Diagnostic{.code = code,
                         .what = std::move(what),
                         .operation = "formula",
                         .expected = std::move(expected),
                         .got = std::move(got)});
}

Shape shape(const Value& value) {
  Shape shape;
  for (const std::uint64_t extent : numbers(value))
    if (!shape.push_back(extent))
      refuse(Errc::rank_too_large, "reshape: too many dimensions", std::to_string(Shape::kMaxRank), "more");
  return shape;
}

DType dtype(const Value& value) {
  const std::string& text = std::get<std::string>(value);
  for (const DTypeInfo& one : all_dtypes())
    if (one.name == text) return one.dtype;
  refuse(Errc::unknown_dtype, "there is no such dtype", "a name like F32 or BF16", text);
}

// ---- the transforms: any member function of ModelContext that takes recipes and numbers and gives a recipe

template <class Argument>
constexpr char kLetter = 't';
template <>
constexpr char kLetter<std::uint64_t> = 'n';

template <class Argument>
decltype(auto) argument(const Value& value) {
  if constexpr (kLetter<Argument> == 'n')
    return number(value);
  else
    return tensor(value);
}

template <auto Member>
struct Transform;
template <class... A, Recipe (ModelContext::*Member)(A...) const>
struct Transform<Member> {
  static constexpr std::array<char, sizeof...(A)> kArguments{kLetter<std::remove_cvref_t<A>>...};
  static Value call(const ModelContext& m, Arguments arguments) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return Value((m.*Member)(argument<std::remove_cvref_t<A>>(arguments[I])...));
    }
    (std::index_sequence_for<A...>());
  }
};

template <auto Member>
constexpr Function transform(std::string_view name, std::string_view shown) {
  return {name,
          {Transform<Member>::kArguments.data(), Transform<Member>::kArguments.size()},
          shown,
          Kind::tensor,
          &Transform<Member>::call};
}

// ---- everything

using M = ModelContext;

const std::array kFunctions{
    transform<&M::transform_embedding>("transform_embedding", "transform_embedding(x)"),
    transform<&M::transform_unembed>("transform_unembed", "transform_unembed(x)"),
    transform<&M::transform_norm>("transform_norm", "transform_norm(x)"),
    transform<&M::transform_qkv>("transform_qkv", "transform_qkv(x)"),
    transform<&M::transform_attn_out>("transform_attn_out", "transform_attn_out(x)"),
    transform<&M::transform_mlp_1>("transform_mlp_1", "transform_mlp_1(x)"),
    transform<&M::transform_gated_mlp_1>("transform_gated_mlp_1", "transform_gated_mlp_1(gate, up)"),
    transform<&M::transform_mlp_2>("transform_mlp_2", "transform_mlp_2(x)"),
    transform<&M::transform_shared_gated_mlp_1>("transform_shared_gated_mlp_1",
                                                "transform_shared_gated_mlp_1(gate, up)"),
    transform<&M::transform_shared_mlp_2>("transform_shared_mlp_2", "transform_shared_mlp_2(x)"),
    transform<&M::transform_head_rows>("transform_head_rows", "transform_head_rows(x, size)"),
    transform<&M::transform_alternating_moe_mlp_1>("transform_alternating_moe_mlp_1",
                                                   "transform_alternating_moe_mlp_1(x)"),
    transform<&M::transform_moe_gate>("transform_moe_gate", "transform_moe_gate(x)"),
    transform<&M::transform_moe_mlp_1>("transform_moe_mlp_1", "transform_moe_mlp_1(x)"),
    transform<&M::transform_gated_moe_mlp_1>("transform_gated_moe_mlp_1", "transform_gated_moe_mlp_1(gate, up)"),
    transform<&M::transform_moe_mlp_2>("transform_moe_mlp_2", "transform_moe_mlp_2(x)"),
    transform<&M::to_activation_dtype>("to_activation_dtype", "to_activation_dtype(x)"),
    transform<&M::from_megatron_qkv>("from_megatron_qkv", "from_megatron_qkv(x)"),
    transform<&M::from_megatron_gqa>("from_megatron_gqa", "from_megatron_gqa(x)"),
    transform<&M::from_gguf_rope>("from_gguf_rope", "from_gguf_rope(x, heads)"),

    Function{"concat", "n*", "concat(axis, x, ...)", Kind::tensor,
             [](const M&, Arguments a) { return Value(concat(number(a[0]), std::span<const Recipe>(tensors(a[1])))); }},
    Function{"stack", "n*", "stack(axis, x, ...)", Kind::tensor,
             [](const M&, Arguments a) { return Value(stack(tensors(a[1]), number(a[0]))); }},
    Function{
        "interleave", "n*", "interleave(axis, x, ...)", Kind::tensor,
        [](const M&, Arguments a) { return Value(interleave(number(a[0]), std::span<const Recipe>(tensors(a[1])))); }},
    Function{
        "slice", "tnnn", "slice(x, axis, begin, end)", Kind::tensor,
        [](const M&, Arguments a) { return Value(slice(tensor(a[0]), number(a[1]), number(a[2]), number(a[3]))); }},
    Function{"half", "tnn", "half(x, axis, which)", Kind::tensor,
             [](const M&, Arguments a) { return Value(half(tensor(a[0]), number(a[1]), number(a[2]))); }},
    Function{"reshape", "tl", "reshape(x, [extent, ...])", Kind::tensor,
             [](const M&, Arguments a) { return Value(reshape(tensor(a[0]), shape(a[1]))); }},
    Function{"permute", "tl", "permute(x, [axis, ...])", Kind::tensor,
             [](const M&, Arguments a) {
               return Value(permute(tensor(a[0]), std::span<const std::uint64_t>(numbers(a[1]))));
             }},
    Function{"transpose", "tnn", "transpose(x, axis, axis)", Kind::tensor,
             [](const M&, Arguments a) { return Value(transpose(tensor(a[0]), number(a[1]), number(a[2]))); }},
    Function{"cast", "td", "cast(x, dtype)", Kind::tensor,
             [](const M&, Arguments a) { return Value(cast(tensor(a[0]), dtype(a[1]))); }},
    Function{"shard", "tnnnn", "shard(x, axis, rank, ranks, granularity)", Kind::tensor,
             [](const M&, Arguments a) {
               return Value(shard(tensor(a[0]), number(a[1]), number(a[2]), number(a[3]), number(a[4])));
             }},
    Function{
        "with_aux", "tst", "with_aux(x, 'name', y)", Kind::tensor,
        [](const M&, Arguments a) { return Value(tensor(a[0]).with_aux(std::get<std::string>(a[1]), tensor(a[2]))); }},

    Function{"extent", "tn", "extent(x, axis)", Kind::number,
             [](const M&, Arguments a) {
               const Shape& of = tensor(a[0]).shape();
               if (number(a[1]) >= of.rank())
                 refuse(Errc::recipe_invalid, "extent: there is no such axis", "an axis of " + to_string(of),
                        std::to_string(number(a[1])));
               return Value(of[number(a[1])]);
             }},
    Function{"rank", "t", "rank(x)", Kind::number,
             [](const M&, Arguments a) { return Value(std::uint64_t{tensor(a[0]).rank()}); }},
    Function{"dtype", "t", "dtype(x)", Kind::text,
             [](const M&, Arguments a) { return Value(std::string(name(tensor(a[0]).dtype()))); }},
    Function{"length", "c", "length(list)", Kind::number,
             [](const M&, Arguments a) {
               const auto* list = std::get_if<List>(&a[0]);
               return Value(std::uint64_t{list != nullptr ? list->size() : tensors(a[0]).size()});
             }},
    Function{"min", "nn", "min(a, b)", Kind::number,
             [](const M&, Arguments a) { return Value(std::min(number(a[0]), number(a[1]))); }},
    Function{"max", "nn", "max(a, b)", Kind::number,
             [](const M&, Arguments a) { return Value(std::max(number(a[0]), number(a[1]))); }},
};

constexpr std::array<std::string_view, 3> kSpecial{"present", "each", "element"};

}  // namespace

const Function* find_function(std::string_view name) noexcept {
  for (const Function& one : kFunctions)
    if (one.name == name) return &one;
  return nullptr;
}

std::span<const Function> all_functions() noexcept { return kFunctions; }

bool is_special(std::string_view name) noexcept {
  return std::find(kSpecial.begin(), kSpecial.end(), name) != kSpecial.end();
}

Kind argument_kind(char letter) noexcept {
  switch (letter) {
    case 't':
      return Kind::tensor;
    case 'n':
      return Kind::number;
    case 'l':
      return Kind::list;
    case 's':
    case 'd':
      return Kind::text;
    case '*':
      return Kind::tensors;
    default:
      return Kind::any;
  }
}

}  // namespace ballast::formula
