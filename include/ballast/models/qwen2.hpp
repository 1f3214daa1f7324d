// Qwen2 and Qwen2.5: Llama with biases on query, key and value. GGUF files keep the published order of rows.
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/blocks.hpp"
#include "ballast/policy.hpp"

namespace ballast::models {

struct Qwen2Layer : AttentionBlock, QkvBiasBlock, GatedMlpBlock {
  static constexpr auto param_mapping =
      mapping<Qwen2Layer>(inherits<AttentionBlock>, inherits<QkvBiasBlock>, inherits<GatedMlpBlock>);
};
static_assert(well_mapped<Qwen2Layer>);

struct Qwen2Policy {
  static constexpr std::string_view name = "qwen2";
  static constexpr std::array<std::string_view, 1> model_types{"qwen2"};
  static constexpr std::array<std::string_view, 1> architectures{"Qwen2ForCausalLM"};
  using Layer = Qwen2Layer;
  using NonTransformer = DecoderNonTransformer;

  static ContextRules context() {
    return {
        {"tie_absent_head", "from_gguf"},  // converters leave a tied head out
    };
  }
  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .layers({"model.layers", "blk"}, schema_of<Qwen2Layer>())
        .non_transformer(schema_of<DecoderNonTransformer>())
        .skip("model.layers.*.self_attn.rotary_emb.inv_freq",
              "rotary frequencies of old checkpoints; engines compute them");
  }
};

}  // namespace ballast::models
