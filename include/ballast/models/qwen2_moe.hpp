// Qwen2-MoE and Qwen1.5-MoE: Qwen2 with experts beside one shared expert that has a gate of its own.
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/blocks.hpp"
#include "ballast/models/moe.hpp"
#include "ballast/models/moe_layers.hpp"
#include "ballast/models/qwen2.hpp"
#include "ballast/policy.hpp"

namespace ballast::models {

struct Qwen2MoeLayer : AttentionBlock, QkvBiasBlock, ExpertsBlock {
  Parameter<SharedGatedMlp1> shared_moe_mlp_1;
  Parameter<SharedMlp2> shared_moe_mlp_2;
  Parameter<MoeGate> shared_moe_gate;

  static constexpr auto param_mapping = mapping<Qwen2MoeLayer>(
      inherits<AttentionBlock>, inherits<QkvBiasBlock>, inherits<ExpertsBlock>,
      from("mlp.shared_expert.gate_proj.weight", to<&Qwen2MoeLayer::shared_moe_mlp_1, &SharedGatedMlp1::gate_params>),
      from("mlp.shared_expert.up_proj.weight", to<&Qwen2MoeLayer::shared_moe_mlp_1, &SharedGatedMlp1::up_params>),
      from("mlp.shared_expert.down_proj.weight", to<&Qwen2MoeLayer::shared_moe_mlp_2, &SharedMlp2::params>),
      from("mlp.shared_expert_gate.weight", to<&Qwen2MoeLayer::shared_moe_gate, &MoeGate::params>));
};
static_assert(well_mapped<Qwen2MoeLayer>);

struct Qwen2MoePolicy {
  static constexpr std::string_view name = "qwen2_moe";
  static constexpr std::array<std::string_view, 1> model_types{"qwen2_moe"};
  static constexpr std::array<std::string_view, 1> architectures{"Qwen2MoeForCausalLM"};
  using Layer = Qwen2MoeLayer;
  using DenseLayer = Qwen2Layer;
  using NonTransformer = DecoderNonTransformer;

  static ContextRules context() {
    return {
        {"decoder_sparse_step", "config.decoder_sparse_step ?? 1"},
        {"mlp_only_layers", "config.mlp_only_layers ?? []"},
    };
  }
  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .layers({"model.layers"},
                {{schema_of<Qwen2MoeLayer>(),
                  "n_experts > 0 && !(layer in mlp_only_layers) && (layer + 1) % max(decoder_sparse_step, 1) == 0"},
                 {schema_of<Qwen2Layer>()}})
        .non_transformer(schema_of<DecoderNonTransformer>());
  }
};

}  // namespace ballast::models
