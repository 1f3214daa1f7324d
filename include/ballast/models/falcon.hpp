// Falcon: 7B has one key and value head and one norm a layer; 40B and 180B (`new_decoder_architecture`) have groups of
// heads, stored group by group, and two norms; falcon-rw is a plain decoder with qkv stored head by head.
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/megatron.hpp"
#include "ballast/policy.hpp"

namespace ballast::models {

struct FalconBlock {
  Parameter<AttentionOutput> attn_out_w;
  Parameter<Mlp1> mlp_1_w;
  Parameter<Mlp2> mlp_2_w;

  static constexpr auto param_mapping =
      mapping<FalconBlock>(from("self_attention.dense.weight", to<&FalconBlock::attn_out_w, &AttentionOutput::params>),
                           from("mlp.dense_h_to_4h.weight", to<&FalconBlock::mlp_1_w, &Mlp1::params>),
                           from("mlp.dense_4h_to_h.weight", to<&FalconBlock::mlp_2_w, &Mlp2::params>));
};
static_assert(well_mapped<FalconBlock>);

struct FalconLayer : FalconBlock {
  Parameter<FusedQkv> qkv_w;
  Parameter<Norm> ln_attn_gamma;
  Parameter<Norm> ln_attn_beta;

  static constexpr auto param_mapping = mapping<FalconLayer>(
      inherits<FalconBlock>, from("self_attention.query_key_value.weight", to<&FalconLayer::qkv_w, &FusedQkv::params>),
      from("input_layernorm.weight", to<&FalconLayer::ln_attn_gamma, &Norm::params>),
      from("input_layernorm.bias", to<&FalconLayer::ln_attn_beta, &Norm::params>));
};
static_assert(well_mapped<FalconLayer>);

struct FalconNewLayer : FalconBlock {
  Parameter<GqaMegatronQkv> qkv_w;
  Parameter<Norm> ln_attn_gamma;
  Parameter<Norm> ln_attn_beta;
  Parameter<OptionalNorm> ln_mlp_gamma;  // absent where attention and MLP share one norm, as in Falcon 2
  Parameter<OptionalNorm> ln_mlp_beta;

  static constexpr auto param_mapping = mapping<FalconNewLayer>(
      inherits<FalconBlock>,
      from("self_attention.query_key_value.weight", to<&FalconNewLayer::qkv_w, &GqaMegatronQkv::params>),
      from_any({"ln_attn.weight", "input_layernorm.weight"}, to<&FalconNewLayer::ln_attn_gamma, &Norm::params>),
      from_any({"ln_attn.bias", "input_layernorm.bias"}, to<&FalconNewLayer::ln_attn_beta, &Norm::params>),
      from("ln_mlp.weight", to<&FalconNewLayer::ln_mlp_gamma, &OptionalNorm::params>),
      from("ln_mlp.bias", to<&FalconNewLayer::ln_mlp_beta, &OptionalNorm::params>));
};
static_assert(well_mapped<FalconNewLayer>);

struct FalconNonTransformer {
  Parameter<Embedding> word_emb;
  Parameter<Unembed> word_unembed;
  Parameter<Norm> final_norm_gamma;
  Parameter<Norm> final_norm_beta;

  static constexpr auto param_mapping = mapping<FalconNonTransformer>(
      from("transformer.word_embeddings.weight", to<&FalconNonTransformer::word_emb, &Embedding::params>),
      from("lm_head.weight", to<&FalconNonTransformer::word_unembed, &Unembed::params>)
          .tied_to("transformer.word_embeddings.weight"),
      from("transformer.ln_f.weight", to<&FalconNonTransformer::final_norm_gamma, &Norm::params>),
      from("transformer.ln_f.bias", to<&FalconNonTransformer::final_norm_beta, &Norm::params>));
};
static_assert(well_mapped<FalconNonTransformer>);

struct FalconPolicy {
  static constexpr std::string_view name = "falcon";
  static constexpr std::array<std::string_view, 3> model_types{"falcon", "RefinedWebModel", "RefinedWeb"};
  static constexpr std::array<std::string_view, 2> architectures{"FalconForCausalLM", "RWForCausalLM"};
  using Layer = FalconNewLayer;
  using NonTransformer = FalconNonTransformer;

  static ContextRules context() {
    return {
        {"new_decoder_architecture", "config.new_decoder_architecture ?? (config.model_type == 'RefinedWeb') ? 1 : 0"},
        {"multi_query", "config.multi_query ?? true ? 1 : 0"},
        // The old forms state as many as query heads, whatever they have.
        {"n_heads_kv", "new_decoder_architecture == 1 ? n_heads_kv ?? n_heads : multi_query == 1 ? 1 : n_heads"},
        {"intermediate_dim", "intermediate_dim ?? 4 * model_dim"},
        {"tie_word_embeddings", "tie_word_embeddings ?? true"},
    };
  }
  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .layers({"transformer.h"}, {{schema_of<FalconNewLayer>(), "new_decoder_architecture == 1"},
                                    {schema_of<FalconLayer>(), "multi_query == 1"},
                                    {schema_of<MegatronBlock>()}})
        .non_transformer(schema_of<FalconNonTransformer>());
  }
};

}  // namespace ballast::models
