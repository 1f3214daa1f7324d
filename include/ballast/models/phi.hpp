// Phi-1, Phi-1.5 and Phi-2: one norm a layer, before attention and MLP side by side; biases everywhere, at the head
// too.
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/blocks.hpp"
#include "ballast/policy.hpp"

namespace ballast::models {

struct PhiLayer : BiasedQkvBlock {
  Parameter<AttentionOutput> attn_out_w;
  Parameter<AttentionOutput> attn_out_b;
  Parameter<Mlp1> mlp_1_w;
  Parameter<Mlp1> mlp_1_b;
  Parameter<Mlp2> mlp_2_w;
  Parameter<Mlp2> mlp_2_b;
  Parameter<Norm> ln_gamma;
  Parameter<Norm> ln_beta;

  static constexpr auto param_mapping = mapping<PhiLayer>(
      inherits<BiasedQkvBlock>, from("self_attn.dense.weight", to<&PhiLayer::attn_out_w, &AttentionOutput::params>),
      from("self_attn.dense.bias", to<&PhiLayer::attn_out_b, &AttentionOutput::params>),
      from("mlp.fc1.weight", to<&PhiLayer::mlp_1_w, &Mlp1::params>),
      from("mlp.fc1.bias", to<&PhiLayer::mlp_1_b, &Mlp1::params>),
      from("mlp.fc2.weight", to<&PhiLayer::mlp_2_w, &Mlp2::params>),
      from("mlp.fc2.bias", to<&PhiLayer::mlp_2_b, &Mlp2::params>),
      from("input_layernorm.weight", to<&PhiLayer::ln_gamma, &Norm::params>),
      from("input_layernorm.bias", to<&PhiLayer::ln_beta, &Norm::params>));
};
static_assert(well_mapped<PhiLayer>);

struct PhiNonTransformer {
  Parameter<Embedding> word_emb;
  Parameter<Unembed> word_unembed_w;
  Parameter<Unembed> word_unembed_b;
  Parameter<Norm> final_norm_gamma;
  Parameter<Norm> final_norm_beta;

  static constexpr auto param_mapping = mapping<PhiNonTransformer>(
      from("model.embed_tokens.weight", to<&PhiNonTransformer::word_emb, &Embedding::params>),
      from("lm_head.weight", to<&PhiNonTransformer::word_unembed_w, &Unembed::params>)
          .tied_to("model.embed_tokens.weight"),
      from("lm_head.bias", to<&PhiNonTransformer::word_unembed_b, &Unembed::params>),
      from("model.final_layernorm.weight", to<&PhiNonTransformer::final_norm_gamma, &Norm::params>),
      from("model.final_layernorm.bias", to<&PhiNonTransformer::final_norm_beta, &Norm::params>));
};
static_assert(well_mapped<PhiNonTransformer>);

struct PhiPolicy {
  static constexpr std::string_view name = "phi";
  static constexpr std::array<std::string_view, 1> model_types{"phi"};
  static constexpr std::array<std::string_view, 1> architectures{"PhiForCausalLM"};
  using Layer = PhiLayer;
  using NonTransformer = PhiNonTransformer;

  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .layers({"model.layers"}, schema_of<PhiLayer>())
        .non_transformer(schema_of<PhiNonTransformer>())
        .skip("model.layers.*.self_attn.rotary_emb.inv_freq",
              "rotary frequencies of old checkpoints; engines compute them");
  }
};

}  // namespace ballast::models
