// The layout table: what each kind of parameter looks like on a rank.
#include <fmt/format.h>

#include "ballast/error.hpp"
#include "ballast/model_context.hpp"
#include "ballast/sharding.hpp"
#include "recipe/traced.hpp"

namespace ballast {

using recipe::traced;

namespace {

constexpr std::uint64_t kMlpGranularity = 32;

void check_extent(const Recipe& x, std::uint64_t axis, std::uint64_t expected, std::string_view what,
                  std::string_view why) {
  if (recipe::is_traced(x)) return;  // its extents are made up
  const bool there = axis < x.rank();
  if (there && x.shape()[axis] == expected) return;
  Diagnostic d;
  d.code = Errc::shape_mismatch;
  d.operation = std::string(what);
  d.what = fmt::format("{} has another shape than the config says", what);
  d.expected = fmt::format("{} along axis {} ({})", expected, axis, why);
  d.got = to_string(x.shape());
  d.cause = "a config.json of another model, or a file written with other settings";
  throw Error(std::move(d));
}

Recipe heads_rows(const Recipe& x, std::uint64_t offset, Range heads, std::uint64_t head_size) {
  return slice(x, 0, offset + heads.begin * head_size, offset + heads.end * head_size);
}

Recipe shard_axis(const ModelContext& m, const Recipe& x, std::uint64_t axis, std::uint64_t granularity) {
  // One rank holds everything, whatever the granularity.
  return m.tp_size == 1 ? x : shard(x, axis, m.tp_rank, m.tp_size, granularity);
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

}  // namespace

Recipe ModelContext::to_activation_dtype(const Recipe& x) const {
  if (auto call = traced("to_activation_dtype", x)) return *call;
  const DTypeKind kind = info(x.dtype()).kind;
  if (kind == DTypeKind::quantised) return cast(x, dtype.value_or(DType::F16));
  return kind == DTypeKind::floating && dtype ? cast(x, *dtype) : x;
}

namespace {

// A matrix of [vocab, dim]. Published checkpoints may pad the vocabulary beyond what the config says.
void check_vocab_matrix(const ModelContext& m, const Recipe& x, std::string_view what) {
  check_extent(x, 1, m.model_dim, what, "the model dimension");
  if (x.shape()[0] < m.vocab_size) check_extent(x, 0, m.vocab_size, what, "the vocabulary");
}

// The dimensions of an MLP matrix, where the config states them.
void check_mlp(const ModelContext& m, const Recipe& x, std::uint64_t inter_axis, std::string_view what) {
  if (m.intermediate_dim != 0) check_extent(x, inter_axis, m.intermediate_dim, what, "the intermediate dimension");
  if (x.rank() == 2) check_extent(x, 1 - inter_axis, m.model_dim, what, "the model dimension");
}

}  // namespace

Recipe ModelContext::transform_embedding(const Recipe& x) const {
  if (auto call = traced("transform_embedding", x)) return *call;
  check_vocab_matrix(*this, x, "the embedding");
  return to_activation_dtype(x);
}
Recipe ModelContext::transform_norm(const Recipe& x) const {
  if (auto call = traced("transform_norm", x)) return *call;
  return to_activation_dtype(x);
}
Recipe ModelContext::transform_moe_gate(const Recipe& x) const {
  if (auto call = traced("transform_moe_gate", x)) return *call;
  return to_activation_dtype(x);
}
Recipe ModelContext::transform_unembed(const Recipe& x) const {
  if (auto call = traced("transform_unembed", x)) return *call;
  return to_activation_dtype(shard_axis(*this, x, 0, 1));
}

Recipe ModelContext::transform_qkv(const Recipe& x) const {
  if (auto call = traced("transform_qkv", x)) return *call;
  check_extent(x, 0, head_size * (n_heads + 2 * n_heads_kv), "the fused qkv",
               fmt::format("{} query and 2 x {} key/value heads of {}", n_heads, n_heads_kv, head_size));
  if (x.rank() == 2) check_extent(x, 1, model_dim, "the fused qkv", "the model dimension");
  if (tp_size == 1) return to_activation_dtype(x);
  const HeadShard heads = shard_heads(n_heads, n_heads_kv, tp_rank, tp_size);
  const std::uint64_t k_rows = n_heads * head_size;
  const std::uint64_t v_rows = k_rows + n_heads_kv * head_size;
  return to_activation_dtype(concat(0, heads_rows(x, 0, heads.q, head_size), heads_rows(x, k_rows, heads.kv, head_size),
                                    heads_rows(x, v_rows, heads.kv, head_size)));
}

Recipe ModelContext::transform_attn_out(const Recipe& x) const {
  if (auto call = traced("transform_attn_out", x)) return *call;
  if (x.rank() == 1) return bias_on_rank_0(*this, x);
  check_extent(x, 1, head_size * n_heads, "the attention output",
               fmt::format("{} query heads of {}", n_heads, head_size));
  if (tp_size == 1) return to_activation_dtype(x);
  const Range q = shard_heads(n_heads, n_heads_kv, tp_rank, tp_size).q;
  return to_activation_dtype(slice(x, 1, q.begin * head_size, q.end * head_size));
}

Recipe ModelContext::transform_mlp_1(const Recipe& x) const {
  if (auto call = traced("transform_mlp_1", x)) return *call;
  check_mlp(*this, x, 0, "the first MLP matrix");
  return to_activation_dtype(shard_axis(*this, x, 0, kMlpGranularity));
}

Recipe ModelContext::transform_gated_mlp_1(const Recipe& gate, const Recipe& up) const {
  if (auto call = traced("transform_gated_mlp_1", gate, up)) return *call;
  check_mlp(*this, gate, 0, "the gate projection");
  check_mlp(*this, up, 0, "the up projection");
  return to_activation_dtype(gate_and_up(*this, gate, up, 0));
}

Recipe ModelContext::transform_mlp_2(const Recipe& x) const {
  if (auto call = traced("transform_mlp_2", x)) return *call;
  if (x.rank() == 1) return bias_on_rank_0(*this, x);
  check_mlp(*this, x, 1, "the second MLP matrix");
  return to_activation_dtype(shard_axis(*this, x, 1, kMlpGranularity));
}

Recipe ModelContext::transform_moe_mlp_1(const Recipe& x) const {
  if (auto call = traced("transform_moe_mlp_1", x)) return *call;
  const Recipe mine = shard_axis(*this, x, 1, kMlpGranularity);
  return to_activation_dtype(x.rank() == 2 ? mine : transpose(mine, 1, 2));
}

Recipe ModelContext::transform_gated_moe_mlp_1(const Recipe& gate, const Recipe& up) const {
  if (auto call = traced("transform_gated_moe_mlp_1", gate, up)) return *call;
  const Recipe mine = gate_and_up(*this, gate, up, 1);
  return to_activation_dtype(gate.rank() == 2 ? mine : transpose(mine, 1, 2));
}

Recipe ModelContext::transform_moe_mlp_2(const Recipe& x) const {
  if (auto call = traced("transform_moe_mlp_2", x)) return *call;
  if (x.rank() == 2) return bias_on_rank_0(*this, x);
  return to_activation_dtype(transpose(shard_axis(*this, x, 2, kMlpGranularity), 1, 2));
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
  check_extent(x, 0, 3 * n_heads * head_size, "the head-by-head qkv",
               fmt::format("3 x {} heads of {}", n_heads, head_size));
  return reorder_rows(x, {n_heads, 3, head_size}, {1, 0, 2});
}

Recipe ModelContext::from_megatron_gqa(const Recipe& x) const {
  if (auto call = traced("from_megatron_gqa", x)) return *call;
  (void)shard_heads(n_heads, n_heads_kv, 0, 1);  // refuses heads that do not form groups
  const std::uint64_t group = n_heads / n_heads_kv;
  check_extent(x, 0, (n_heads + 2 * n_heads_kv) * head_size, "the group-by-group qkv",
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
  check_extent(x, 0, heads * head_size, "the rotary projection", fmt::format("{} heads of {}", heads, head_size));
  return reorder_rows(x, {heads, head_size / 2, 2}, {0, 2, 1});
}

}  // namespace ballast
