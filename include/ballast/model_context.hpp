// What the recipes of a model need to know: its numbers, this rank's place, and the transforms of the layout table.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/dtype.hpp"
#include "ballast/model_config.hpp"
#include "ballast/recipe.hpp"

namespace ballast {

// How the first matrix of a gated MLP is laid out, and its bias: a choice of the engine.
enum class GatedLayout : std::uint8_t {
  interleaved,   // rows gate0, up0, gate1, up1, ...
  concatenated,  // all gate rows of this rank, then all its up rows
};

// A plain value: copy it, change it, keep it. Numbers are those of the whole model, not of this rank.
struct ModelContext {
  std::string model_type;
  std::uint64_t model_dim = 0;
  std::uint64_t n_layers = 0;
  std::uint64_t n_heads = 0;     // query heads
  std::uint64_t n_heads_kv = 0;  // key and value heads
  std::uint64_t head_size = 0;   // n_heads * head_size need not equal model_dim
  std::uint64_t intermediate_dim = 0;
  std::uint64_t vocab_size = 0;
  std::uint64_t n_experts = 0;
  std::uint64_t moe_intermediate_dim = 0;     // of one expert
  std::uint64_t shared_intermediate_dim = 0;  // of the shared experts together
  std::uint64_t max_positions = 0;
  std::uint64_t type_vocab_size = 0;
  // The head is the embedding: the config says so, or (`tie_absent_head`) a file that leaves the head out says so, as
  // GGUF files do.
  bool tie_word_embeddings = false;
  bool tie_absent_head = false;
  bool from_gguf = false;  // the tensors follow GGUF's conventions
  // Conventions of the weights that an engine must know, by name; docs/architectures.md lists them.
  //   norm_weight_offset   what to add to a norm's weight before it is used (Gemma stores w for 1 + w)
  //   position_emb_offset  the row of the position embedding that belongs to position 0 (OPT: 2)
  //   rope_interleaved     1: rotary embeddings turn neighbouring elements, not the two halves of a head
  std::map<std::string, std::uint64_t, std::less<>> properties;
  // Numbers that only one architecture has, by the name under which its recipes and list lengths ask for them. A norm
  // may have any of these as its extent.
  std::map<std::string, std::uint64_t, std::less<>> extra;
  // Lists of numbers that only one architecture has ("mlp_only_layers"), for the conditions of its container map.
  std::map<std::string, std::vector<std::uint64_t>, std::less<>> lists;

  // The dtype of every floating weight. Nothing: plain weights stay as stored, block-quantised ones become F16.
  std::optional<DType> dtype;
  std::uint64_t tp_rank = 0;
  std::uint64_t tp_size = 1;
  GatedLayout gated_layout = GatedLayout::interleaved;

  // The numbers of a config with the usual defaults (key/value heads as many as query heads, head_size = model_dim /
  // n_heads). Throws Error(context_invalid) listing what is absent or contradictory: layers, heads, dimension.
  [[nodiscard]] static ModelContext from_config(const ModelConfig& config);
  // Throws Error(invalid_sharding) where tp_rank is not below tp_size.
  void check_ranks() const;

  // A number by name ("n_experts", or a key of `extra`): how schemas made at run time give list lengths.
  [[nodiscard]] std::optional<std::uint64_t> attribute(std::string_view wanted) const noexcept;

  // A key of `extra`. Throws Error(context_invalid) where there is none.
  [[nodiscard]] std::uint64_t number(std::string_view wanted) const;

  // Whether a head that is not stored is filled with the embedding.
  [[nodiscard]] bool fills_absent_head() const noexcept { return tie_word_embeddings || tie_absent_head; }

  // The transforms: shard for this rank, then convert. A vector (rank 1) is taken for the bias of the layer.
  [[nodiscard]] Recipe transform_embedding(const Recipe& x) const;  // [vocab, dim], not sharded
  [[nodiscard]] Recipe transform_unembed(const Recipe& x) const;    // [vocab, dim], rows
  [[nodiscard]] Recipe transform_norm(const Recipe& x) const;       // as stored
  [[nodiscard]] Recipe transform_qkv(const Recipe& x) const;        // rows: all q heads, all k heads, all v heads
  [[nodiscard]] Recipe transform_attn_out(const Recipe& x) const;   // [dim, heads*head_size], columns; bias on rank 0
  // This rank's query heads along axis 0, of `size` rows each: what else is stored head by head.
  [[nodiscard]] Recipe transform_head_rows(const Recipe& x, std::uint64_t size) const;
  // [inter, dim], rows.
  [[nodiscard]] Recipe transform_mlp_1(const Recipe& x) const;
  // Gate and up projections, each [inter, dim] (or [inter]), sharded and laid out by `gated_layout`.
  [[nodiscard]] Recipe transform_gated_mlp_1(const Recipe& gate, const Recipe& up) const;
  [[nodiscard]] Recipe transform_mlp_2(const Recipe& x) const;  // [dim, inter], columns; bias on rank 0
  // The same of shared experts, whose width is shared_intermediate_dim.
  [[nodiscard]] Recipe transform_shared_gated_mlp_1(const Recipe& gate, const Recipe& up) const;
  [[nodiscard]] Recipe transform_shared_mlp_2(const Recipe& x) const;
  [[nodiscard]] Recipe transform_moe_gate(const Recipe& x) const;  // [experts, dim], not sharded
  // Experts stacked: [E, inter, dim] and [E, dim, inter], sharded on inter, then transposed to [E, in, out].
  [[nodiscard]] Recipe transform_moe_mlp_1(const Recipe& x) const;
  [[nodiscard]] Recipe transform_gated_moe_mlp_1(const Recipe& gate, const Recipe& up) const;
  [[nodiscard]] Recipe transform_moe_mlp_2(const Recipe& x) const;
  // Gate and up stored alternating along the last axis, in -> out: [E, dim, 2 * inter], or [E, 2 * inter].
  [[nodiscard]] Recipe transform_alternating_moe_mlp_1(const Recipe& x) const;
  // Only the conversion.
  [[nodiscard]] Recipe to_activation_dtype(const Recipe& x) const;

  // Reorderings of query, key and value rows to "all q heads, all k heads, all v heads".
  // Megatron-LM stores them head by head: q, k, v of head 0, then of head 1 (MHA only).
  [[nodiscard]] Recipe from_megatron_qkv(const Recipe& x) const;
  // ... and with grouped heads group by group: its q heads, its k head, its v head.
  [[nodiscard]] Recipe from_megatron_gqa(const Recipe& x) const;
  // GGUF files of some architectures pair the rows of each head for a rotary embedding of neighbouring elements; this
  // puts `heads` heads of rows back into the order of the published checkpoints.
  [[nodiscard]] Recipe from_gguf_rope(const Recipe& x, std::uint64_t heads) const;
};

}  // namespace ballast
