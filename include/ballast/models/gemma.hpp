// Gemma 2 and the text part of Gemma 3: norms before and after attention and MLP; Gemma 3 has norms on queries and
// keys. Norm weights are stored as w for a factor of 1 + w, in GGUF files as the factor itself: property
// norm_weight_offset.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "ballast/models/blocks.hpp"
#include "ballast/policy.hpp"

namespace ballast::models {

struct Gemma2Layer : AttentionBlock, GatedMlpBlock {
  Parameter<Norm> post_attn_norm_gamma;
  Parameter<Norm> post_mlp_norm_gamma;

  static constexpr auto param_mapping =
      mapping<Gemma2Layer>(inherits<AttentionBlock>, inherits<GatedMlpBlock>,
                           from_any({"post_attention_layernorm.weight", "post_attention_norm.weight"},
                                    to<&Gemma2Layer::post_attn_norm_gamma, &Norm::params>),
                           from_any({"pre_feedforward_layernorm.weight", "ffn_norm.weight"},
                                    to<&Gemma2Layer::mlp_norm_gamma, &Norm::params>),
                           from_any({"post_feedforward_layernorm.weight", "post_ffw_norm.weight"},
                                    to<&Gemma2Layer::post_mlp_norm_gamma, &Norm::params>));
};
static_assert(well_mapped<Gemma2Layer>);

struct Gemma2Policy {
  static constexpr std::string_view name = "gemma2";
  static constexpr std::array<std::string_view, 1> model_types{"gemma2"};
  static constexpr std::array<std::string_view, 1> architectures{"Gemma2ForCausalLM"};
  using Layer = Gemma2Layer;
  using NonTransformer = DecoderNonTransformer;

  static ContextRules context() {
    return {
        {"head_size", "head_size ?? (from_gguf ? model_dim / n_heads : 256)"},
        {"tie_word_embeddings", "tie_word_embeddings ?? true"},
        {"properties.norm_weight_offset", "from_gguf ? 0 : 1"},
    };
  }
  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .layers({"model.layers", "blk"}, schema_of<Gemma2Layer>())
        .non_transformer(schema_of<DecoderNonTransformer>());
  }
};

struct Gemma3Layer : Gemma2Layer, QkNormBlock {
  static constexpr auto param_mapping = mapping<Gemma3Layer>(inherits<Gemma2Layer>, inherits<QkNormBlock>);
};
static_assert(well_mapped<Gemma3Layer>);

// Files with a vision tower have the text part under one of two paths.
struct Gemma3NonTransformer {
  Parameter<Embedding> word_emb;
  Parameter<Unembed> word_unembed;
  Parameter<Norm> final_norm;

  static constexpr auto param_mapping = mapping<Gemma3NonTransformer>(
      from_any({"model.embed_tokens.weight", "language_model.model.embed_tokens.weight",
                "model.language_model.embed_tokens.weight"},
               to<&Gemma3NonTransformer::word_emb, &Embedding::params>),
      from_any({"lm_head.weight", "language_model.lm_head.weight"},
               to<&Gemma3NonTransformer::word_unembed, &Unembed::params>)
          .tied_to("model.embed_tokens.weight", "language_model.model.embed_tokens.weight",
                   "model.language_model.embed_tokens.weight"),
      from_any({"model.norm.weight", "language_model.model.norm.weight", "model.language_model.norm.weight"},
               to<&Gemma3NonTransformer::final_norm, &Norm::params>));
};
static_assert(well_mapped<Gemma3NonTransformer>);

struct Gemma3Policy {
  static constexpr std::string_view name = "gemma3";
  static constexpr std::array<std::string_view, 2> model_types{"gemma3", "gemma3_text"};
  static constexpr std::array<std::string_view, 2> architectures{"Gemma3ForConditionalGeneration", "Gemma3ForCausalLM"};
  using Layer = Gemma3Layer;
  using NonTransformer = Gemma3NonTransformer;

  static ContextRules context() {
    return Gemma2Policy::context().with({
        {"n_heads", "n_heads ?? 8"},
        {"n_heads_kv", "n_heads_kv ?? 4"},
        {"head_size", "head_size ?? 256"},
    });
  }
  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .layers({"model.layers", "language_model.model.layers", "model.language_model.layers"},
                schema_of<Gemma3Layer>())
        .non_transformer(schema_of<Gemma3NonTransformer>())
        .skip("vision_tower", "the vision tower")
        .skip("multi_modal_projector", "the projector of images")
        .skip("model.vision_tower", "the vision tower")
        .skip("model.multi_modal_projector", "the projector of images");
  }
};

}  // namespace ballast::models
