// GPT-NeoX and Pythia.
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/megatron.hpp"
#include "ballast/policy.hpp"

namespace ballast::models {

using GptNeoxLayer = MegatronBlock;

struct GptNeoxNonTransformer {
  Parameter<Embedding> word_emb;
  Parameter<Unembed> word_unembed;
  Parameter<Norm> final_norm_gamma;
  Parameter<Norm> final_norm_beta;

  static constexpr auto param_mapping = mapping<GptNeoxNonTransformer>(
      from("gpt_neox.embed_in.weight", to<&GptNeoxNonTransformer::word_emb, &Embedding::params>),
      from("embed_out.weight", to<&GptNeoxNonTransformer::word_unembed, &Unembed::params>)
          .tied_to("gpt_neox.embed_in.weight"),
      from("gpt_neox.final_layer_norm.weight", to<&GptNeoxNonTransformer::final_norm_gamma, &Norm::params>),
      from("gpt_neox.final_layer_norm.bias", to<&GptNeoxNonTransformer::final_norm_beta, &Norm::params>));
};
static_assert(well_mapped<GptNeoxNonTransformer>);

struct GptNeoxPolicy {
  static constexpr std::string_view name = "gpt_neox";
  static constexpr std::array<std::string_view, 1> model_types{"gpt_neox"};
  static constexpr std::array<std::string_view, 1> architectures{"GPTNeoXForCausalLM"};
  using Layer = GptNeoxLayer;
  using NonTransformer = GptNeoxNonTransformer;

  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .skip("gpt_neox.layers.*.attention.bias", "the causal mask")
        .skip("gpt_neox.layers.*.attention.masked_bias", "what masked scores are set to")
        .skip("gpt_neox.layers.*.attention.rotary_emb.inv_freq", "rotary frequencies; engines compute them")
        .layers({"gpt_neox.layers"}, schema_of<GptNeoxLayer>())
        .non_transformer(schema_of<GptNeoxNonTransformer>());
  }
};

}  // namespace ballast::models
