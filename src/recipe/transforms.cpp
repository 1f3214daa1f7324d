// The layout table: what each kind of parameter looks like on a rank.
#include <fmt/format.h>

#include "ballast/error.hpp"
#include "ballast/model_context.hpp"
#include "ballast/sharding.hpp"
#include "recipe/extents.hpp"
#include "recipe/traced.hpp"

namespace ballast {

using namespace recipes;
using recipe::traced;

namespace {

constexpr std::uint64_t kMlpGranularity = 32;

// The first axis of an operand that is about to be taken apart.
void check_rows(const Recipe& x, std::uint64_t expected, std::string_view what, std::string_view why) {
  if (x.rank() == 0 || x.shape()[0] != expected) check_extents(x, {{expected, why, {}}}, what);
}

Recipe heads_rows(const Recipe& x, std::uint64_t offset, Range heads, std::uint64_t head_size) {
  return slice(x, 0, offset + heads.begin * head_size, offset + heads.end * head_size);
}

Recipe shard_axis(const ModelContext& m, const Recipe& x, std::uint64_t axis, std::uint64_t granularity) {
  return shard(x, axis, m.tp_rank, m.tp_size, granularity);
}

// The bias of a layer whose ranks' results are summed: added once.
Recipe bias_on_rank_0(const ModelContext& m, const Recipe& x) {
  return m.tp_rank == 0 ? m.to_activation_dtype(x) : Recipe::nothing();
}

Recipe gate_and_up(const ModelContext& m, const Recipe& gate, const Recipe& up, std::uint64_t axis) {
  const Recipe g = shard_axis(m, gate, axis, kMlpGranularity);
  const Recipe u = shard_axis(m, up, axis, kMlpGranularity);
  return m.gated_layout == GatedLayout::interleaved ? interleave(axis, g, u) : concat(axis, g, u);
}

Recipe gated_mlp_1(const ModelContext& m, const Recipe& gate, const Recipe& up, std::uint64_t inter) {
  check_is_plain(gate, "the gate projection");
  check_is_plain(up, "the up projection");
  check_mlp(m, gate, 0, inter, "the gate projection");
  check_mlp(m, up, 0, inter, "the up projection");
  return m.to_activation_dtype(gate_and_up(m, gate, up, 0));
}

Recipe mlp_2(const ModelContext& m, const Recipe& x, std::uint64_t inter) {
  check_is_plain(x, "the second MLP matrix");
  check_mlp(m, x, 1, inter, "the second MLP matrix");
  if (x.rank() == 1) return bias_on_rank_0(m, x);
  return m.to_activation_dtype(shard_axis(m, x, 1, kMlpGranularity));
}

}  // namespace

Recipe ModelContext::to_activation_dtype(const Recipe& x) const {
  if (auto call = traced("to_activation_dtype", x)) return *call;
  const DTypeKind kind = info(x.dtype()).kind;
  if (kind == DTypeKind::quantised) return cast(x, dtype.value_or(DType::F16));
  return kind == DTypeKind::floating && dtype ? cast(x, *dtype) : x;
}

Recipe ModelContext::transform_embedding(const Recipe& x) const {
  if (auto call = traced("transform_embedding", x)) return *call;
  check_is_plain(x, "the embedding");
  check_vocab_matrix(*this, x, "the embedding");
  return to_activation_dtype(x);
}
Recipe ModelContext::transform_norm(const Recipe& x) const {
  if (auto call = traced("transform_norm", x)) return *call;
  check_is_plain(x, "the norm");
  check_norm(*this, x);
  return to_activation_dtype(x);
}
Recipe ModelContext::transform_moe_gate(const Recipe& x) const {
  if (auto call = traced("transform_moe_gate", x)) return *call;
  check_is_plain(x, "the experts' gate");
  check_moe_gate(*this, x);
  return to_activation_dtype(x);
}
Recipe ModelContext::transform_unembed(const Recipe& x) const {
  if (auto call = traced("transform_unembed", x)) return *call;
  check_is_plain(x, "the head");
  check_vocab_matrix(*this, x, "the head");
  return to_activation_dtype(shard_axis(*this, x, 0, 1));
}

Recipe ModelContext::transform_qkv(const Recipe& x) const {
  if (auto call = traced("transform_qkv", x)) return *call;
  check_is_plain(x, "the fused qkv");
  check_qkv(*this, x);
  if (tp_size == 1) return to_activation_dtype(x);
  const HeadShard heads = shard_heads(n_heads, n_heads_kv, tp_rank, tp_size);
  const std::uint64_t k_rows = n_heads * head_size;
  const std::uint64_t v_rows = k_rows + n_heads_kv * head_size;
  return to_activation_dtype(concat(0, heads_rows(x, 0, heads.q, head_size), heads_rows(x, k_rows, heads.kv, head_size),
                                    heads_rows(x, v_rows, heads.kv, head_size)));
}

Recipe ModelContext::transform_head_rows(const Recipe& x, std::uint64_t size) const {
  if (auto call = traced("transform_head_rows", x, size)) return *call;
  constexpr std::string_view kWhat = "the projection of query heads";
  const std::string heads = fmt::format("{} heads of {}", n_heads, size);
  const Extent rows{n_heads * size, heads, {}};
  check_is_plain(x, kWhat);
  if (x.rank() == 1)
    check_extents(x, {rows}, kWhat);
  else
    check_extents(x, {rows, {0, "what it projects from", {}}}, kWhat);
  if (tp_size == 1) return to_activation_dtype(x);
  return to_activation_dtype(heads_rows(x, 0, shard_heads(n_heads, n_heads_kv, tp_rank, tp_size).q, size));
}

Recipe ModelContext::transform_attn_out(const Recipe& x) const {
  if (auto call = traced("transform_attn_out", x)) return *call;
  check_is_plain(x, "the attention output");
  check_attn_out(*this, x);
  if (x.rank() == 1) return bias_on_rank_0(*this, x);
  if (tp_size == 1) return to_activation_dtype(x);
  const Range q = shard_heads(n_heads, n_heads_kv, tp_rank, tp_size).q;
  return to_activation_dtype(slice(x, 1, q.begin * head_size, q.end * head_size));
}

Recipe ModelContext::transform_mlp_1(const Recipe& x) const {
  if (auto call = traced("transform_mlp_1", x)) return *call;
  check_is_plain(x, "the first MLP matrix");
  check_mlp(*this, x, 0, intermediate_dim, "the first MLP matrix");
  return to_activation_dtype(shard_axis(*this, x, 0, kMlpGranularity));
}

Recipe ModelContext::transform_gated_mlp_1(const Recipe& gate, const Recipe& up) const {
  if (auto call = traced("transform_gated_mlp_1", gate, up)) return *call;
  return gated_mlp_1(*this, gate, up, intermediate_dim);
}

Recipe ModelContext::transform_shared_gated_mlp_1(const Recipe& gate, const Recipe& up) const {
  if (auto call = traced("transform_shared_gated_mlp_1", gate, up)) return *call;
  return gated_mlp_1(*this, gate, up, shared_intermediate_dim);
}

Recipe ModelContext::transform_mlp_2(const Recipe& x) const {
  if (auto call = traced("transform_mlp_2", x)) return *call;
  return mlp_2(*this, x, intermediate_dim);
}

Recipe ModelContext::transform_shared_mlp_2(const Recipe& x) const {
  if (auto call = traced("transform_shared_mlp_2", x)) return *call;
  return mlp_2(*this, x, shared_intermediate_dim);
}

Recipe ModelContext::transform_moe_mlp_1(const Recipe& x) const {
  if (auto call = traced("transform_moe_mlp_1", x)) return *call;
  check_is_plain(x, "the experts' first matrix");
  check_experts(*this, x, 1, "the experts' first matrix");
  const Recipe mine = shard_axis(*this, x, 1, kMlpGranularity);
  return to_activation_dtype(x.rank() == 2 ? mine : transpose(mine, 1, 2));
}

Recipe ModelContext::transform_gated_moe_mlp_1(const Recipe& gate, const Recipe& up) const {
  if (auto call = traced("transform_gated_moe_mlp_1", gate, up)) return *call;
  check_is_plain(gate, "the experts' gate projection");
  check_is_plain(up, "the experts' up projection");
  check_experts(*this, gate, 1, "the experts' gate projection");
  check_experts(*this, up, 1, "the experts' up projection");
  const Recipe mine = gate_and_up(*this, gate, up, 1);
  return to_activation_dtype(gate.rank() == 2 ? mine : transpose(mine, 1, 2));
}

Recipe ModelContext::transform_moe_mlp_2(const Recipe& x) const {
  if (auto call = traced("transform_moe_mlp_2", x)) return *call;
  check_is_plain(x, "the experts' second matrix");
  check_experts(*this, x, 2, "the experts' second matrix");
  if (x.rank() == 2) return bias_on_rank_0(*this, x);
  return to_activation_dtype(transpose(shard_axis(*this, x, 2, kMlpGranularity), 1, 2));
}

Recipe ModelContext::transform_alternating_moe_mlp_1(const Recipe& x) const {
  if (auto call = traced("transform_alternating_moe_mlp_1", x)) return *call;
  const std::uint64_t last = x.rank() == 2 ? 1 : 2;
  const std::uint64_t stored = last < x.rank() ? x.shape()[last] : 0;
  constexpr std::string_view kWhat = "gate and up of experts";
  check_is_plain(x, kWhat);
  const Extent rows{moe_intermediate_dim != 0 ? 2 * moe_intermediate_dim : stored / 2 * 2,
                    "two for each row of the intermediate dimension",
                    {}};
  const Extent all_experts{n_experts, "the experts", "num_experts"};
  if (x.rank() == 2)
    check_extents(x, {all_experts, rows}, kWhat);
  else
    check_extents(x, {all_experts, {model_dim, "the model dimension", "hidden_size"}, rows}, kWhat);
  if (gated_layout == GatedLayout::interleaved)
    return to_activation_dtype(shard_axis(*this, x, last, 2 * kMlpGranularity));
  Shape pairs = x.shape();
  pairs[last] /= 2;
  Shape one = pairs;
  pairs.push_back(2);
  const auto half = [&](std::uint64_t which) {
    const Recipe part = reshape(slice(reshape(x, pairs), last + 1, which, which + 1), one);
    return shard_axis(*this, part, last, kMlpGranularity);
  };
  return to_activation_dtype(concat(last, half(0), half(1)));
}

namespace {

// x with its rows counted as [extents...], these permuted by `order`, and counted as rows again.
Recipe reorder_rows(const Recipe& x, const Shape& rows, std::vector<std::uint64_t> order) {
  Shape split = rows;
  for (std::size_t axis = 1; axis < x.rank(); ++axis) {
    order.push_back(split.rank());
    split.push_back(x.shape()[axis]);
  }
  return reshape(permute(reshape(x, split), order), x.shape());
}

}  // namespace

Recipe ModelContext::from_megatron_qkv(const Recipe& x) const {
  if (auto call = traced("from_megatron_qkv", x)) return *call;
  check_rows(x, 3 * n_heads * head_size, "the head-by-head qkv", fmt::format("3 x {} heads of {}", n_heads, head_size));
  return reorder_rows(x, {n_heads, 3, head_size}, {1, 0, 2});
}

Recipe ModelContext::from_megatron_gqa(const Recipe& x) const {
  if (auto call = traced("from_megatron_gqa", x)) return *call;
  (void)shard_heads(n_heads, n_heads_kv, 0, 1);  // refuses heads that do not form groups
  const std::uint64_t group = n_heads / n_heads_kv;
  check_rows(x, (n_heads + 2 * n_heads_kv) * head_size, "the group-by-group qkv",
             fmt::format("{} groups of {} query heads, a key and a value head of {}", n_heads_kv, group, head_size));
  Shape split{n_heads_kv, group + 2, head_size};
  for (std::size_t axis = 1; axis < x.rank(); ++axis) split.push_back(x.shape()[axis]);
  const Recipe groups = reshape(x, split);
  const auto rows = [&](std::uint64_t begin, std::uint64_t end) {
    Shape flat = x.shape();
    flat[0] = n_heads_kv * (end - begin) * head_size;
    return reshape(slice(groups, 1, begin, end), flat);
  };
  return concat(0, rows(0, group), rows(group, group + 1), rows(group + 1, group + 2));
}

Recipe ModelContext::from_gguf_rope(const Recipe& x, std::uint64_t heads) const {
  if (auto call = traced("from_gguf_rope", x, heads)) return *call;
  check_rows(x, heads * head_size, "the rotary projection", fmt::format("{} heads of {}", heads, head_size));
  return reorder_rows(x, {heads, head_size / 2, 2}, {0, 2, 1});
}

}  // namespace ballast
