// BLOOM: a norm after the embedding. Names with and without the leading "transformer.".
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/megatron.hpp"
#include "ballast/policy.hpp"

namespace ballast::models {

using BloomLayer = MegatronBlock;

struct BloomNonTransformer {
  Parameter<Embedding> word_emb;
  Parameter<Norm> emb_norm_gamma;
  Parameter<Norm> emb_norm_beta;
  Parameter<Unembed> word_unembed;
  Parameter<Norm> final_norm_gamma;
  Parameter<Norm> final_norm_beta;

  static constexpr auto param_mapping = mapping<BloomNonTransformer>(
      from("word_embeddings.weight", to<&BloomNonTransformer::word_emb, &Embedding::params>),
      from("word_embeddings_layernorm.weight", to<&BloomNonTransformer::emb_norm_gamma, &Norm::params>),
      from("word_embeddings_layernorm.bias", to<&BloomNonTransformer::emb_norm_beta, &Norm::params>),
      from("lm_head.weight", to<&BloomNonTransformer::word_unembed, &Unembed::params>)
          .tied_to("word_embeddings.weight"),
      from("ln_f.weight", to<&BloomNonTransformer::final_norm_gamma, &Norm::params>),
      from("ln_f.bias", to<&BloomNonTransformer::final_norm_beta, &Norm::params>));
};
static_assert(well_mapped<BloomNonTransformer>);

struct BloomPolicy {
  static constexpr std::string_view name = "bloom";
  static constexpr std::array<std::string_view, 1> model_types{"bloom"};
  static constexpr std::array<std::string_view, 1> architectures{"BloomForCausalLM"};
  using Layer = BloomLayer;
  using NonTransformer = BloomNonTransformer;

  static ContextRules context() {
    return {
        {"intermediate_dim", "4 * model_dim"},
        {"tie_word_embeddings", "tie_word_embeddings ?? true"},
    };
  }
  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .optional_root("transformer")
        .layers({"h"}, schema_of<BloomLayer>())
        .non_transformer(schema_of<BloomNonTransformer>());
  }
};

}  // namespace ballast::models
