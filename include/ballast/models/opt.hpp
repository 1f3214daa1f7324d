// OPT: names under `model.decoder.`, and under `decoder.` in old files; the head is the embedding.
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/blocks.hpp"
#include "ballast/policy.hpp"

namespace ballast::models {

struct OptLayer : BiasedQkvBlock {
  Parameter<AttentionOutput> attn_out_w;
  Parameter<AttentionOutput> attn_out_b;
  Parameter<Mlp1> mlp_1_w;
  Parameter<Mlp1> mlp_1_b;
  Parameter<Mlp2> mlp_2_w;
  Parameter<Mlp2> mlp_2_b;
  Parameter<Norm> attn_norm_beta;
  Parameter<Norm> attn_norm_gamma;
  Parameter<Norm> mlp_norm_beta;
  Parameter<Norm> mlp_norm_gamma;

  static constexpr auto param_mapping = mapping<OptLayer>(
      inherits<BiasedQkvBlock>, from("self_attn.out_proj.weight", to<&OptLayer::attn_out_w, &AttentionOutput::params>),
      from("self_attn.out_proj.bias", to<&OptLayer::attn_out_b, &AttentionOutput::params>),
      from("fc1.weight", to<&OptLayer::mlp_1_w, &Mlp1::params>),
      from("fc1.bias", to<&OptLayer::mlp_1_b, &Mlp1::params>),
      from("fc2.weight", to<&OptLayer::mlp_2_w, &Mlp2::params>),
      from("fc2.bias", to<&OptLayer::mlp_2_b, &Mlp2::params>),
      from("self_attn_layer_norm.bias", to<&OptLayer::attn_norm_beta, &Norm::params>),
      from("self_attn_layer_norm.weight", to<&OptLayer::attn_norm_gamma, &Norm::params>),
      from("final_layer_norm.bias", to<&OptLayer::mlp_norm_beta, &Norm::params>),
      from("final_layer_norm.weight", to<&OptLayer::mlp_norm_gamma, &Norm::params>));
};
static_assert(well_mapped<OptLayer>);

struct OptNonTransformer {
  Parameter<Embedding> word_emb;
  Parameter<Replicated> word_emb_pos;
  Parameter<Unembed> word_unembed;
  Parameter<Norm> final_norm_w;
  Parameter<Norm> final_norm_b;

  static constexpr auto param_mapping =
      mapping<OptNonTransformer>(from_any({"model.decoder.embed_tokens.weight", "decoder.embed_tokens.weight"},
                                          to<&OptNonTransformer::word_emb, &Embedding::params>),
                                 from_any({"model.decoder.embed_positions.weight", "decoder.embed_positions.weight"},
                                          to<&OptNonTransformer::word_emb_pos, &Replicated::params>),
                                 from("lm_head.weight", to<&OptNonTransformer::word_unembed, &Unembed::params>)
                                     .tied_to("model.decoder.embed_tokens.weight", "decoder.embed_tokens.weight"),
                                 from_any({"model.decoder.final_layer_norm.weight", "decoder.final_layer_norm.weight"},
                                          to<&OptNonTransformer::final_norm_w, &Norm::params>),
                                 from_any({"model.decoder.final_layer_norm.bias", "decoder.final_layer_norm.bias"},
                                          to<&OptNonTransformer::final_norm_b, &Norm::params>));
};
static_assert(well_mapped<OptNonTransformer>);

struct OptPolicy {
  static constexpr std::string_view name = "opt";
  static constexpr std::array<std::string_view, 1> model_types{"opt"};
  static constexpr std::array<std::string_view, 1> architectures{"OPTForCausalLM"};
  using Layer = OptLayer;
  using NonTransformer = OptNonTransformer;

  static ContextRules context() {
    return {
        {"tie_word_embeddings", "tie_word_embeddings ?? true"},
        {"properties.position_emb_offset", "2"},
    };
  }
  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .layers({"model.decoder.layers", "decoder.layers"}, schema_of<OptLayer>())
        .non_transformer(schema_of<OptNonTransformer>());
  }
};

}  // namespace ballast::models
