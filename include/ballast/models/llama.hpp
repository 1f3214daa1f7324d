// Llama: names as published on the hub (model.layers.N. ...) and as in GGUF files (blk.N. ...). GGUF files of Mistral
// and Mixtral call themselves Llama too.
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/blocks.hpp"
#include "ballast/models/moe.hpp"
#include "ballast/policy.hpp"

namespace ballast::models {

// GGUF files pair the rows of each q and k head for a rotary embedding of neighbouring elements: put back first.
struct LlamaQkv : UnfusedQkv {
  Recipe finalize(const ModelContext& m) const {
    if (!m.from_gguf) return UnfusedQkv::finalize(m);
    return m.transform_qkv(
        concat(0, m.from_gguf_rope(q_params, m.n_heads), m.from_gguf_rope(k_params, m.n_heads_kv), v_params));
  }
};

struct LlamaLayer : AttentionBlock, GatedMlpBlock {
  Parameter<LlamaQkv> qkv_w;

  static constexpr auto param_mapping = mapping<LlamaLayer>(inherits<AttentionBlock>, inherits<GatedMlpBlock>);
};
static_assert(well_mapped<LlamaLayer>);

struct MixtralLayer : AttentionBlock {
  Parameter<LlamaQkv> qkv_w;
  Parameter<MoeGate> moe_gate;
  Parameter<GatedMoeMlp1> moe_mlp_1;
  Parameter<MoeMlp2> moe_mlp_2;

  // Published files, what transformers 5 makes of them, GGUF (older files have a tensor for each expert).
  static constexpr auto param_mapping = mapping<MixtralLayer>(
      inherits<AttentionBlock>,
      from_any({"block_sparse_moe.gate.weight", "mlp.gate.weight", "ffn_gate_inp.weight"},
               to<&MixtralLayer::moe_gate, &MoeGate::params>),
      from_any({"block_sparse_moe.experts.*.w1.weight", "ffn_gate.*.weight"},
               to<&MixtralLayer::moe_mlp_1, &SeparateGatedMoeMlp1::gating_experts>),
      from_any({"block_sparse_moe.experts.*.w3.weight", "ffn_up.*.weight"},
               to<&MixtralLayer::moe_mlp_1, &SeparateGatedMoeMlp1::up_experts>),
      from("mlp.experts.gate_up_proj", to<&MixtralLayer::moe_mlp_1, &PackedGatedMoeMlp1::gate_up>),
      from("ffn_gate_exps.weight", to<&MixtralLayer::moe_mlp_1, &StackedGatedMoeMlp1::stacked_gate>),
      from("ffn_up_exps.weight", to<&MixtralLayer::moe_mlp_1, &StackedGatedMoeMlp1::stacked_up>),
      from_any({"block_sparse_moe.experts.*.w2.weight", "ffn_down.*.weight"},
               to<&MixtralLayer::moe_mlp_2, &SeparateMoeMlp2::experts>),
      from_any({"mlp.experts.down_proj", "ffn_down_exps.weight"},
               to<&MixtralLayer::moe_mlp_2, &StackedMoeMlp2::stacked>));
};
static_assert(well_mapped<MixtralLayer>);

using LlamaNonTransformer = DecoderNonTransformer;

struct LlamaPolicy {
  static constexpr std::string_view name = "llama";
  static constexpr std::array<std::string_view, 1> model_types{"llama"};
  static constexpr std::array<std::string_view, 1> architectures{"LlamaForCausalLM"};
  using Layer = LlamaLayer;
  using NonTransformer = LlamaNonTransformer;

  static ContextRules context() {
    return {
        {"tie_absent_head", "from_gguf"},  // converters leave a tied head out
        {"moe_intermediate_dim", "intermediate_dim"},
    };
  }
  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .layers({"model.layers", "blk"}, {{schema_of<MixtralLayer>(), "n_experts > 0"}, {schema_of<LlamaLayer>()}})
        .non_transformer(schema_of<LlamaNonTransformer>())
        .skip("model.layers.*.self_attn.rotary_emb.inv_freq",
              "rotary frequencies of old checkpoints; engines compute them")
        .skip("rope_freqs.weight", "rotary frequencies; engines compute them");
  }
};

struct MistralPolicy : LlamaPolicy {
  static constexpr std::string_view name = "mistral";
  static constexpr std::array<std::string_view, 1> model_types{"mistral"};
  static constexpr std::array<std::string_view, 1> architectures{"MistralForCausalLM"};
};

struct MixtralPolicy : LlamaPolicy {
  static constexpr std::string_view name = "mixtral";
  static constexpr std::array<std::string_view, 1> model_types{"mixtral"};
  static constexpr std::array<std::string_view, 1> architectures{"MixtralForCausalLM"};
  using Layer = MixtralLayer;
};

}  // namespace ballast::models
