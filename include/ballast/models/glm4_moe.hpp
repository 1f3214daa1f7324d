// GLM-4.5: grouped heads with biases and, in some, norms on queries and keys; dense layers, then experts as
// DeepSeek-V3.
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/deepseek.hpp"
#include "ballast/policy.hpp"

namespace ballast::models {

struct Glm4AttentionBlock : AttentionBlock, OptionalQkvBiasBlock {  // attention_bias
  static constexpr auto param_mapping =
      mapping<Glm4AttentionBlock>(inherits<AttentionBlock>, inherits<OptionalQkvBiasBlock>);
};
static_assert(well_mapped<Glm4AttentionBlock>);

struct Glm4MoeDenseLayer : Glm4AttentionBlock, GatedMlpBlock {
  static constexpr auto param_mapping =
      mapping<Glm4MoeDenseLayer>(inherits<Glm4AttentionBlock>, inherits<GatedMlpBlock>);
};
struct Glm4MoeLayer : Glm4AttentionBlock, BiasedExpertsBlock {
  static constexpr auto param_mapping =
      mapping<Glm4MoeLayer>(inherits<Glm4AttentionBlock>, inherits<BiasedExpertsBlock>);
};
// use_qk_norm
struct Glm4MoeNormedDenseLayer : Glm4MoeDenseLayer, QkNormBlock {
  static constexpr auto param_mapping =
      mapping<Glm4MoeNormedDenseLayer>(inherits<Glm4MoeDenseLayer>, inherits<QkNormBlock>);
};
struct Glm4MoeNormedLayer : Glm4MoeLayer, QkNormBlock {
  static constexpr auto param_mapping = mapping<Glm4MoeNormedLayer>(inherits<Glm4MoeLayer>, inherits<QkNormBlock>);
};
static_assert(well_mapped<Glm4MoeDenseLayer> && well_mapped<Glm4MoeLayer>);
static_assert(well_mapped<Glm4MoeNormedDenseLayer> && well_mapped<Glm4MoeNormedLayer>);

struct Glm4MoePolicy {
  static constexpr std::string_view name = "glm4_moe";
  static constexpr std::array<std::string_view, 1> model_types{"glm4_moe"};
  static constexpr std::array<std::string_view, 1> architectures{"Glm4MoeForCausalLM"};
  using Layer = Glm4MoeLayer;
  using DenseLayer = Glm4MoeDenseLayer;
  using NonTransformer = DecoderNonTransformer;

  static ContextRules context() {
    return {
        {"head_size", "head_size ?? 128"},
        {"shared_intermediate_dim", "(config.n_shared_experts ?? 0) * moe_intermediate_dim"},
        {"first_k_dense_replace", "config.first_k_dense_replace ?? 0"},
        {"use_qk_norm", "config.use_qk_norm ?? false ? 1 : 0"},
    };
  }
  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .skip("model.layers.{n_layers}", "the layer for predicting several tokens at once (MTP)")
        .layers({"model.layers"},
                {{schema_of<Glm4MoeNormedDenseLayer>(), "layer < first_k_dense_replace && use_qk_norm == 1"},
                 {schema_of<Glm4MoeDenseLayer>(), "layer < first_k_dense_replace"},
                 {schema_of<Glm4MoeNormedLayer>(), "use_qk_norm == 1"},
                 {schema_of<Glm4MoeLayer>()}})
        .non_transformer(schema_of<DecoderNonTransformer>());
  }
};

}  // namespace ballast::models
