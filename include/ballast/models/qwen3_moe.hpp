// Qwen3-MoE: Qwen3 with experts, in all layers or in some.
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/moe_layers.hpp"
#include "ballast/models/qwen3.hpp"
#include "ballast/policy.hpp"

namespace ballast::models {

struct Qwen3MoeLayer : AttentionBlock, QkNormBlock, ExpertsBlock {
  static constexpr auto param_mapping =
      mapping<Qwen3MoeLayer>(inherits<AttentionBlock>, inherits<QkNormBlock>, inherits<ExpertsBlock>);
};
static_assert(well_mapped<Qwen3MoeLayer>);

struct Qwen3MoePolicy {
  static constexpr std::string_view name = "qwen3_moe";
  static constexpr std::array<std::string_view, 2> model_types{"qwen3_moe", "qwen3moe"};
  static constexpr std::array<std::string_view, 1> architectures{"Qwen3MoeForCausalLM"};
  using Layer = Qwen3MoeLayer;
  using DenseLayer = Qwen3Layer;
  using NonTransformer = DecoderNonTransformer;

  static ModelContext context(const ModelConfig& config) {
    ModelContext m = ModelContext::from_config(config);
    m.dense_layers = dense_layers_by_step(config, m.n_layers);
    m.tie_absent_head = config.from_gguf;
    return m;
  }
  static ContainerMap container_map(const ModelContext& m) {
    return ContainerMap()
        .layers({"model.layers", "blk"}, dense_or_moe<Qwen3Layer, Qwen3MoeLayer>(m))
        .non_transformer(schema_of<DecoderNonTransformer>());
  }
};

}  // namespace ballast::models
