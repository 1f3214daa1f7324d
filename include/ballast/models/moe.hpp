// Parameters of mixtures of experts. Experts are stacked, [E, out, in], sharded like the matrices of an MLP, and
// transposed to [E, in, out].
#pragma once

#include "ballast/models/common.hpp"

namespace ballast::models {

struct MoeGate {  // [experts, dim], held whole by every rank
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_moe_gate(params); }
};

// ---- gate and up projections

struct SeparateGatedMoeMlp1 {  // one tensor an expert and projection
  DependencyList<&ModelContext::n_experts> gating_experts, up_experts;
  Recipe finalize(const ModelContext& m) const {
    return m.transform_gated_moe_mlp_1(stack(gating_experts), stack(up_experts));
  }
};

struct PackedGatedMoeMlp1 {  // [E, 2 * inter, dim]: of each expert all gate rows, then all up rows
  Dependency gate_up;
  Recipe finalize(const ModelContext& m) const {
    return m.transform_gated_moe_mlp_1(half(gate_up, 1, 0), half(gate_up, 1, 1));
  }
};

struct StackedGatedMoeMlp1 {  // two tensors of [E, inter, dim], as in GGUF files
  Dependency stacked_gate, stacked_up;
  Recipe finalize(const ModelContext& m) const { return m.transform_gated_moe_mlp_1(stacked_gate, stacked_up); }
};

struct GatedMoeMlp1 : OneOf<SeparateGatedMoeMlp1, PackedGatedMoeMlp1, StackedGatedMoeMlp1> {};

// ---- down projection

struct SeparateMoeMlp2 {
  DependencyList<&ModelContext::n_experts> experts;
  Recipe finalize(const ModelContext& m) const { return m.transform_moe_mlp_2(stack(experts)); }
};

struct StackedMoeMlp2 {  // [E, dim, inter]
  Dependency stacked;
  Recipe finalize(const ModelContext& m) const { return m.transform_moe_mlp_2(stacked); }
};

struct MoeMlp2 : OneOf<SeparateMoeMlp2, StackedMoeMlp2> {};

// ---- experts that every token goes through: an MLP of its own width

struct SharedGatedMlp1 {
  Dependency gate_params, up_params;
  Recipe finalize(const ModelContext& m) const { return m.transform_shared_gated_mlp_1(gate_params, up_params); }
};

struct SharedMlp2 {
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_shared_mlp_2(params); }
};

}  // namespace ballast::models
