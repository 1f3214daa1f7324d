// Qwen3: Llama with norms on queries and keys. GGUF files keep the published order of rows.
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/blocks.hpp"
#include "ballast/policy.hpp"

namespace ballast::models {

struct Qwen3Layer : AttentionBlock, QkNormBlock, GatedMlpBlock {
  static constexpr auto param_mapping =
      mapping<Qwen3Layer>(inherits<AttentionBlock>, inherits<QkNormBlock>, inherits<GatedMlpBlock>);
};
static_assert(well_mapped<Qwen3Layer>);

struct Qwen3Policy {
  static constexpr std::string_view name = "qwen3";
  static constexpr std::array<std::string_view, 1> model_types{"qwen3"};
  static constexpr std::array<std::string_view, 1> architectures{"Qwen3ForCausalLM"};
  using Layer = Qwen3Layer;
  using NonTransformer = DecoderNonTransformer;

  static ContextRules context() {
    return {
        {"head_size", "head_size ?? (from_gguf ? model_dim / n_heads : 128)"},
        {"tie_absent_head", "from_gguf"},  // converters leave a tied head out
    };
  }
  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .layers({"model.layers", "blk"}, schema_of<Qwen3Layer>())
        .non_transformer(schema_of<DecoderNonTransformer>());
  }
};

}  // namespace ballast::models
