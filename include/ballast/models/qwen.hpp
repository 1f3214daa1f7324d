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

  static ModelContext context(ModelConfig config) {
    if (config.head_size == 0) config.head_size = config.number("kv_channels").value_or(0);
    config.intermediate_dim /= 2;  // the config counts w1 and w2 together
    return ModelContext::from_config(config);
  }
  static ContainerMap container_map(const ModelContext& m) {
    return ContainerMap()
        .layers({"transformer.h"}, schema_of<QwenLayer>(), m.n_layers)
        .non_transformer(schema_of<QwenNonTransformer>())
        .skip("transformer.rotary_emb.inv_freq", "rotary frequencies; engines compute them");
  }
};

}  // namespace ballast::models
