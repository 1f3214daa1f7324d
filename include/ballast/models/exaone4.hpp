// EXAONE 4 and the text part of EXAONE 4.5: norms after attention and MLP, and on queries and keys.
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/blocks.hpp"
#include "ballast/policy.hpp"

namespace ballast::models {

struct Exaone4Layer : QkNormBlock, GatedMlpBlock {
  Parameter<UnfusedQkv> qkv_w;
  Parameter<AttentionOutput> attn_out_w;
  Parameter<Norm> post_attn_norm_gamma;
  Parameter<Norm> post_ff_norm_gamma;

  static constexpr auto param_mapping = mapping<Exaone4Layer>(
      inherits<QkNormBlock>, inherits<GatedMlpBlock>,
      from("self_attn.q_proj.weight", to<&Exaone4Layer::qkv_w, &UnfusedQkv::q_params>),
      from("self_attn.k_proj.weight", to<&Exaone4Layer::qkv_w, &UnfusedQkv::k_params>),
      from("self_attn.v_proj.weight", to<&Exaone4Layer::qkv_w, &UnfusedQkv::v_params>),
      from("self_attn.o_proj.weight", to<&Exaone4Layer::attn_out_w, &AttentionOutput::params>),
      from("post_attention_layernorm.weight", to<&Exaone4Layer::post_attn_norm_gamma, &Norm::params>),
      from("post_feedforward_layernorm.weight", to<&Exaone4Layer::post_ff_norm_gamma, &Norm::params>));
};
static_assert(well_mapped<Exaone4Layer>);

struct Exaone4Policy {
  static constexpr std::string_view name = "exaone4";
  static constexpr std::array<std::string_view, 1> model_types{"exaone4"};
  static constexpr std::array<std::string_view, 1> architectures{"Exaone4ForCausalLM"};
  using Layer = Exaone4Layer;
  using NonTransformer = DecoderNonTransformer;

  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .layers({"model.layers"}, schema_of<Exaone4Layer>())
        .non_transformer(schema_of<DecoderNonTransformer>());
  }
};

struct Exaone45NonTransformer {
  Parameter<Embedding> word_emb;
  Parameter<Unembed> word_unembed;
  Parameter<Norm> final_norm;

  static constexpr auto param_mapping = mapping<Exaone45NonTransformer>(
      from("model.language_model.embed_tokens.weight", to<&Exaone45NonTransformer::word_emb, &Embedding::params>),
      from("lm_head.weight", to<&Exaone45NonTransformer::word_unembed, &Unembed::params>)
          .tied_to("model.language_model.embed_tokens.weight"),
      from("model.language_model.norm.weight", to<&Exaone45NonTransformer::final_norm, &Norm::params>));
};
static_assert(well_mapped<Exaone45NonTransformer>);

struct Exaone45Policy {
  static constexpr std::string_view name = "exaone4_5";
  static constexpr std::array<std::string_view, 1> model_types{"exaone4_5"};
  static constexpr std::array<std::string_view, 1> architectures{"Exaone4_5_ForConditionalGeneration"};
  using Layer = Exaone4Layer;
  using NonTransformer = Exaone45NonTransformer;

  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .layers({"model.language_model.layers"}, schema_of<Exaone4Layer>())
        .non_transformer(schema_of<Exaone45NonTransformer>())
        .skip("model.visual", "the vision tower")
        .skip("mtp", "layers for predicting several tokens at once");
  }
};

}  // namespace ballast::models
