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

  static ModelContext context(ModelConfig config) {
    if (config.head_size == 0 && !config.from_gguf) config.head_size = 128;  // what a config that is silent means
    ModelContext m = ModelContext::from_config(config);
    m.tie_absent_head = config.from_gguf;  // converters leave a tied head out
    return m;
  }
  static ContainerMap container_map(const ModelContext& m) {
    return ContainerMap()
        .layers({"model.layers", "blk"}, schema_of<Qwen3Layer>(), m.n_layers)
        .non_transformer(schema_of<DecoderNonTransformer>());
  }
};

}  // namespace ballast::models
