// Llama: names as published on the hub (model.layers.N. ...) and as in GGUF files (blk.N. ...).
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/common.hpp"
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

struct LlamaLayer {
  Parameter<LlamaQkv> qkv_w;
  Parameter<AttentionOutput> attn_out_w;
  Parameter<GatedMlp1> mlp_1_w;
  Parameter<Mlp2> mlp_2_w;
  Parameter<Norm> attn_norm_gamma;
  Parameter<Norm> mlp_norm_gamma;

  static constexpr auto param_mapping = mapping<LlamaLayer>(
      from_any({"self_attn.q_proj.weight", "attn_q.weight"}, to<&LlamaLayer::qkv_w, &LlamaQkv::q_params>),
      from_any({"self_attn.k_proj.weight", "attn_k.weight"}, to<&LlamaLayer::qkv_w, &LlamaQkv::k_params>),
      from_any({"self_attn.v_proj.weight", "attn_v.weight"}, to<&LlamaLayer::qkv_w, &LlamaQkv::v_params>),
      from_any({"self_attn.o_proj.weight", "attn_output.weight"},
               to<&LlamaLayer::attn_out_w, &AttentionOutput::params>),
      from_any({"mlp.gate_proj.weight", "ffn_gate.weight"}, to<&LlamaLayer::mlp_1_w, &GatedMlp1::gate_params>),
      from_any({"mlp.up_proj.weight", "ffn_up.weight"}, to<&LlamaLayer::mlp_1_w, &GatedMlp1::up_params>),
      from_any({"mlp.down_proj.weight", "ffn_down.weight"}, to<&LlamaLayer::mlp_2_w, &Mlp2::params>),
      from_any({"input_layernorm.weight", "attn_norm.weight"}, to<&LlamaLayer::attn_norm_gamma, &Norm::params>),
      from_any({"post_attention_layernorm.weight", "ffn_norm.weight"}, to<&LlamaLayer::mlp_norm_gamma, &Norm::params>));
};
static_assert(well_mapped<LlamaLayer>);

struct LlamaNonTransformer {
  Parameter<Embedding> word_emb;
  Parameter<Unembed> word_unembed;
  Parameter<Norm> final_norm;

  static constexpr auto param_mapping = mapping<LlamaNonTransformer>(
      from_any({"model.embed_tokens.weight", "token_embd.weight"},
               to<&LlamaNonTransformer::word_emb, &Embedding::params>),
      from_any({"lm_head.weight", "output.weight"}, to<&LlamaNonTransformer::word_unembed, &Unembed::params>)
          .tied_to("model.embed_tokens.weight", "token_embd.weight"),
      from_any({"model.norm.weight", "output_norm.weight"}, to<&LlamaNonTransformer::final_norm, &Norm::params>));
};
static_assert(well_mapped<LlamaNonTransformer>);

struct LlamaPolicy {
  static constexpr std::string_view name = "llama";
  static constexpr std::array<std::string_view, 1> model_types{"llama"};
  static constexpr std::array<std::string_view, 1> architectures{"LlamaForCausalLM"};
  using Layer = LlamaLayer;
  using NonTransformer = LlamaNonTransformer;

  static ContextRules context() {
    return {{"tie_absent_head", "from_gguf"}};  // converters leave a tied head out
  }
  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .layers({"model.layers", "blk"}, schema_of<LlamaLayer>())
        .non_transformer(schema_of<LlamaNonTransformer>())
        .skip("model.layers.*.self_attn.rotary_emb.inv_freq",
              "rotary frequencies of old checkpoints; engines compute them")
        .skip("rope_freqs.weight", "rotary frequencies; engines compute them");
  }
};

}  // namespace ballast::models
