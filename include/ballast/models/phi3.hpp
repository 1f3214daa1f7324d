// Phi-3, Phi-3.5 and Phi-4: Llama with fused qkv and fused gate and up.
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/common.hpp"
#include "ballast/policy.hpp"

namespace ballast::models {

struct Phi3Layer {
  Parameter<FusedQkv> qkv_w;
  Parameter<AttentionOutput> attn_out_w;
  Parameter<FusedGatedMlp1> mlp_1_w;
  Parameter<Mlp2> mlp_2_w;
  Parameter<Norm> attn_norm_gamma;
  Parameter<Norm> mlp_norm_gamma;

  static constexpr auto param_mapping = mapping<Phi3Layer>(
      from_any({"self_attn.qkv_proj.weight", "attn_qkv.weight"}, to<&Phi3Layer::qkv_w, &FusedQkv::params>),
      from_any({"self_attn.o_proj.weight", "attn_output.weight"}, to<&Phi3Layer::attn_out_w, &AttentionOutput::params>),
      from_any({"mlp.gate_up_proj.weight", "ffn_up.weight"}, to<&Phi3Layer::mlp_1_w, &FusedGatedMlp1::params>),
      from_any({"mlp.down_proj.weight", "ffn_down.weight"}, to<&Phi3Layer::mlp_2_w, &Mlp2::params>),
      from_any({"input_layernorm.weight", "attn_norm.weight"}, to<&Phi3Layer::attn_norm_gamma, &Norm::params>),
      from_any({"post_attention_layernorm.weight", "ffn_norm.weight"}, to<&Phi3Layer::mlp_norm_gamma, &Norm::params>));
};
static_assert(well_mapped<Phi3Layer>);

struct Phi3NonTransformer {
  Parameter<Embedding> word_emb;
  Parameter<Unembed> word_unembed_w;
  Parameter<Norm> final_norm_gamma;

  static constexpr auto param_mapping = mapping<Phi3NonTransformer>(
      from_any({"model.embed_tokens.weight", "token_embd.weight"},
               to<&Phi3NonTransformer::word_emb, &Embedding::params>),
      from_any({"lm_head.weight", "output.weight"}, to<&Phi3NonTransformer::word_unembed_w, &Unembed::params>)
          .tied_to("model.embed_tokens.weight", "token_embd.weight"),
      from_any({"model.norm.weight", "output_norm.weight"}, to<&Phi3NonTransformer::final_norm_gamma, &Norm::params>));
};
static_assert(well_mapped<Phi3NonTransformer>);

struct Phi3Policy {
  static constexpr std::string_view name = "phi3";
  static constexpr std::array<std::string_view, 1> model_types{"phi3"};
  static constexpr std::array<std::string_view, 1> architectures{"Phi3ForCausalLM"};
  using Layer = Phi3Layer;
  using NonTransformer = Phi3NonTransformer;

  static ContextRules context() {
    return {
        {"tie_absent_head", "from_gguf"},  // converters leave a tied head out
    };
  }
  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .layers({"model.layers", "blk"}, schema_of<Phi3Layer>())
        .non_transformer(schema_of<Phi3NonTransformer>())
        .skip("rope_factors_long.weight", "rotary factors; engines take them from the config")
        .skip("rope_factors_short.weight", "rotary factors; engines take them from the config");
  }
};

}  // namespace ballast::models
