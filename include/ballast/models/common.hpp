// Parameters that architectures share. Each is a table line: what it is made of, and the transform of the layout table.
#pragma once

#include "ballast/declare.hpp"

namespace ballast::models {

struct Embedding {  // [vocab, dim]
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_embedding(params); }
};

struct Unembed {  // [vocab, dim], rows sharded
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_unembed(params); }
};

struct Norm {  // gamma or beta, as stored
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_norm(params); }
};

struct UnfusedQkv {  // weights or biases of three projections, fused: all q heads, all k heads, all v heads
  Dependency q_params, k_params, v_params;
  Recipe finalize(const ModelContext& m) const { return m.transform_qkv(concat(0, q_params, k_params, v_params)); }
};

struct AttentionOutput {  // [dim, heads * head_size], columns sharded; its bias on rank 0
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_attn_out(params); }
};

struct Mlp1 {  // [inter, dim], rows sharded; and its bias
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_mlp_1(params); }
};

struct GatedMlp1 {  // gate and up, interleaved row by row
  Dependency gate_params, up_params;
  Recipe finalize(const ModelContext& m) const { return m.transform_gated_mlp_1(gate_params, up_params); }
};

struct Mlp2 {  // [dim, inter], columns sharded; its bias on rank 0
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_mlp_2(params); }
};

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

}  // namespace ballast::models
