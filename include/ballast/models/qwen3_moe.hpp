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

  static ContextRules context() {
    return {
        {"tie_absent_head", "from_gguf"},  // converters leave a tied head out
        {"decoder_sparse_step", "config.decoder_sparse_step ?? 1"},
        {"mlp_only_layers", "config.mlp_only_layers ?? []"},
    };
  }
  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .layers({"model.layers", "blk"},
                {{schema_of<Qwen3MoeLayer>(),
                  "n_experts > 0 && !(layer in mlp_only_layers) && (layer + 1) % max(decoder_sparse_step, 1) == 0"},
                 {schema_of<Qwen3Layer>()}})
        .non_transformer(schema_of<DecoderNonTransformer>());
  }
};

}  // namespace ballast::models
