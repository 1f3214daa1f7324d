// StarCoder2: grouped heads, a plain MLP, biases (use_bias) and norms with beta.
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/blocks.hpp"
#include "ballast/policy.hpp"

namespace ballast::models {

struct Starcoder2Layer : AttentionBlock, OptionalQkvBiasBlock {
  Parameter<OptionalAttentionOutput> attn_out_b;
  Parameter<Mlp1> mlp_1_w;
  Parameter<OptionalMlp1> mlp_1_b;
  Parameter<Mlp2> mlp_2_w;
  Parameter<OptionalMlp2> mlp_2_b;
  Parameter<Norm> attn_norm_beta;
  Parameter<Norm> mlp_norm_beta;

  static constexpr auto param_mapping = mapping<Starcoder2Layer>(
      inherits<AttentionBlock>, inherits<OptionalQkvBiasBlock>,
      from("self_attn.o_proj.bias", to<&Starcoder2Layer::attn_out_b, &OptionalAttentionOutput::params>),
      from("mlp.c_fc.weight", to<&Starcoder2Layer::mlp_1_w, &Mlp1::params>),
      from("mlp.c_fc.bias", to<&Starcoder2Layer::mlp_1_b, &OptionalMlp1::params>),
      from("mlp.c_proj.weight", to<&Starcoder2Layer::mlp_2_w, &Mlp2::params>),
      from("mlp.c_proj.bias", to<&Starcoder2Layer::mlp_2_b, &OptionalMlp2::params>),
      from("input_layernorm.bias", to<&Starcoder2Layer::attn_norm_beta, &Norm::params>),
      from("post_attention_layernorm.bias", to<&Starcoder2Layer::mlp_norm_beta, &Norm::params>));
};
static_assert(well_mapped<Starcoder2Layer>);

struct Starcoder2NonTransformer {
  Parameter<Embedding> word_emb;
  Parameter<Unembed> word_unembed;
  Parameter<Norm> final_norm_gamma;
  Parameter<Norm> final_norm_beta;

  static constexpr auto param_mapping = mapping<Starcoder2NonTransformer>(
      from("model.embed_tokens.weight", to<&Starcoder2NonTransformer::word_emb, &Embedding::params>),
      from("lm_head.weight", to<&Starcoder2NonTransformer::word_unembed, &Unembed::params>)
          .tied_to("model.embed_tokens.weight"),
      from("model.norm.weight", to<&Starcoder2NonTransformer::final_norm_gamma, &Norm::params>),
      from("model.norm.bias", to<&Starcoder2NonTransformer::final_norm_beta, &Norm::params>));
};
static_assert(well_mapped<Starcoder2NonTransformer>);

struct Starcoder2Policy {
  static constexpr std::string_view name = "starcoder2";
  static constexpr std::array<std::string_view, 1> model_types{"starcoder2"};
  static constexpr std::array<std::string_view, 1> architectures{"Starcoder2ForCausalLM"};
  using Layer = Starcoder2Layer;
  using NonTransformer = Starcoder2NonTransformer;

  static ContextRules context() {
    return {
        {"tie_word_embeddings", "tie_word_embeddings ?? true"},
    };
  }
  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .layers({"model.layers"}, schema_of<Starcoder2Layer>())
        .non_transformer(schema_of<Starcoder2NonTransformer>());
  }
};

}  // namespace ballast::models
