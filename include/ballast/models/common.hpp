// Parameters that architectures share. Each is a table line: what it is made of, and the transform of the layout table.
#pragma once

#include "ballast/declare.hpp"

namespace ballast::models {

// ---- embeddings, norms

struct Embedding {  // [vocab, dim]
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_embedding(params); }
};

struct Unembed {  // [vocab, dim], rows sharded; and its bias
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_unembed(params); }
};

struct Norm {  // gamma or beta, as stored
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_norm(params); }
};

struct OptionalNorm {  // the same, of models that may lack it
  OptionalDependency params;
  Recipe finalize(const ModelContext& m) const {
    return params.has_value() ? m.transform_norm(params) : Recipe::nothing();
  }
};

// ---- attention

struct UnfusedQkv {  // weights or biases of three projections, fused: all q heads, all k heads, all v heads
  Dependency q_params, k_params, v_params;
  Recipe finalize(const ModelContext& m) const { return m.transform_qkv(concat(0, q_params, k_params, v_params)); }
};

struct OptionalUnfusedQkv {  // biases, of models that may lack them
  OptionalDependency q_params, k_params, v_params;
  Recipe finalize(const ModelContext& m) const {
    if (!q_params.has_value() && !k_params.has_value() && !v_params.has_value()) return Recipe::nothing();
    return m.transform_qkv(concat(0, q_params, k_params, v_params));
  }
};

struct FusedQkv {  // stored fused: all q heads, all k heads, all v heads
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_qkv(params); }
};

struct MegatronQkv {  // stored head by head: q, k, v of the first, then of the next
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_qkv(m.from_megatron_qkv(params)); }
};

struct GqaMegatronQkv {  // stored group by group: its q heads, its k head, its v head
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_qkv(m.from_megatron_gqa(params)); }
};

struct AttentionOutput {  // [dim, heads * head_size], columns sharded; its bias on rank 0
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_attn_out(params); }
};

struct OptionalAttentionOutput {  // its bias, of models that may lack it
  OptionalDependency params;
  Recipe finalize(const ModelContext& m) const {
    return params.has_value() ? m.transform_attn_out(params) : Recipe::nothing();
  }
};

// ---- MLP

struct Mlp1 {  // [inter, dim], rows sharded; and its bias
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_mlp_1(params); }
};

struct OptionalMlp1 {
  OptionalDependency params;
  Recipe finalize(const ModelContext& m) const {
    return params.has_value() ? m.transform_mlp_1(params) : Recipe::nothing();
  }
};

struct GatedMlp1 {  // gate and up, interleaved row by row
  Dependency gate_params, up_params;
  Recipe finalize(const ModelContext& m) const { return m.transform_gated_mlp_1(gate_params, up_params); }
};

struct FusedGatedMlp1 {  // stored fused: all gate rows, then all up rows
  Dependency params;
  Recipe finalize(const ModelContext& m) const {
    return m.transform_gated_mlp_1(half(params, 0, 0), half(params, 0, 1));
  }
};

struct Mlp2 {  // [dim, inter], columns sharded; its bias on rank 0
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_mlp_2(params); }
};

struct OptionalMlp2 {
  OptionalDependency params;
  Recipe finalize(const ModelContext& m) const {
    return params.has_value() ? m.transform_mlp_2(params) : Recipe::nothing();
  }
};

// ---- the rest

struct Replicated {  // converted, held whole by every rank
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.to_activation_dtype(params); }
};

struct OptionalReplicated {  // the same, of checkpoints that may lack it
  OptionalDependency params;
  Recipe finalize(const ModelContext& m) const {
    return params.has_value() ? m.to_activation_dtype(params) : Recipe::nothing();
  }
};

struct AsStored {  // neither converted nor sharded
  Dependency params;
  Recipe finalize(const ModelContext&) const { return params; }
};

}  // namespace ballast::models
