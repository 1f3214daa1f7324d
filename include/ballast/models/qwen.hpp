// Qwen, the first: fused qkv with a bias; of its MLP, w2 is the gate and w1 goes up.
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/common.hpp"
#include "ballast/policy.hpp"

namespace ballast::models {

struct QwenLayer {
  Parameter<FusedQkv> qkv_w;
  Parameter<FusedQkv> qkv_b;
  Parameter<AttentionOutput> attn_out_w;
  Parameter<GatedMlp1> mlp_1_w;
  Parameter<Mlp2> mlp_2_w;
  Parameter<Norm> attn_norm_gamma;
  Parameter<Norm> mlp_norm_gamma;

  static constexpr auto param_mapping =
      mapping<QwenLayer>(from("attn.c_attn.weight", to<&QwenLayer::qkv_w, &FusedQkv::params>),
                         from("attn.c_attn.bias", to<&QwenLayer::qkv_b, &FusedQkv::params>),
                         from("attn.c_proj.weight", to<&QwenLayer::attn_out_w, &AttentionOutput::params>),
                         from("mlp.w2.weight", to<&QwenLayer::mlp_1_w, &GatedMlp1::gate_params>),
                         from("mlp.w1.weight", to<&QwenLayer::mlp_1_w, &GatedMlp1::up_params>),
                         from("mlp.c_proj.weight", to<&QwenLayer::mlp_2_w, &Mlp2::params>),
                         from("ln_1.weight", to<&QwenLayer::attn_norm_gamma, &Norm::params>),
                         from("ln_2.weight", to<&QwenLayer::mlp_norm_gamma, &Norm::params>));
};
static_assert(well_mapped<QwenLayer>);

struct QwenNonTransformer {
  Parameter<Embedding> word_emb;
  Parameter<Unembed> word_unembed;
  Parameter<Norm> final_norm;

  static constexpr auto param_mapping = mapping<QwenNonTransformer>(
      from("transformer.wte.weight", to<&QwenNonTransformer::word_emb, &Embedding::params>),
      from("lm_head.weight", to<&QwenNonTransformer::word_unembed, &Unembed::params>).tied_to("transformer.wte.weight"),
      from("transformer.ln_f.weight", to<&QwenNonTransformer::final_norm, &Norm::params>));
};
static_assert(well_mapped<QwenNonTransformer>);

struct QwenPolicy {
  static constexpr std::string_view name = "qwen";
  static constexpr std::array<std::string_view, 1> model_types{"qwen"};
  static constexpr std::array<std::string_view, 1> architectures{"QWenLMHeadModel"};
  using Layer = QwenLayer;
  using NonTransformer = QwenNonTransformer;

  static ContextRules context() {
    return {
        {"head_size", "head_size ?? config.kv_channels ?? model_dim / n_heads"},
        {"intermediate_dim", "intermediate_dim / 2"},  // the config counts w1 and w2 together
    };
  }
  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .layers({"transformer.h"}, schema_of<QwenLayer>())
        .non_transformer(schema_of<QwenNonTransformer>())
        .skip("transformer.rotary_emb.inv_freq", "rotary frequencies; engines compute them");
  }
};

}  // namespace ballast::models
