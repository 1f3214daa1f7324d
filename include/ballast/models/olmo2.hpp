// OLMo 2: norms after attention and MLP, and on all queries and all keys together (held whole by every rank).
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/blocks.hpp"
#include "ballast/policy.hpp"

namespace ballast::models {

struct Olmo2Layer : AttentionBlock, QkNormBlock, GatedMlpBlock {
  static constexpr auto param_mapping =
      mapping<Olmo2Layer>(inherits<AttentionBlock>, inherits<QkNormBlock>, inherits<GatedMlpBlock>,
                          from("post_attention_layernorm.weight", to<&Olmo2Layer::attn_norm_gamma, &Norm::params>),
                          from("post_feedforward_layernorm.weight", to<&Olmo2Layer::mlp_norm_gamma, &Norm::params>));
};
static_assert(well_mapped<Olmo2Layer>);

struct Olmo2Policy {
  static constexpr std::string_view name = "olmo2";
  static constexpr std::array<std::string_view, 1> model_types{"olmo2"};
  static constexpr std::array<std::string_view, 1> architectures{"Olmo2ForCausalLM"};
  using Layer = Olmo2Layer;
  using NonTransformer = DecoderNonTransformer;

  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .layers({"model.layers"}, schema_of<Olmo2Layer>())
        .non_transformer(schema_of<DecoderNonTransformer>());
  }
};

}  // namespace ballast::models
