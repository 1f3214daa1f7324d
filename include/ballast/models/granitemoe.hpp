// GraniteMoe: Llama with packed experts.
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/blocks.hpp"
#include "ballast/models/moe.hpp"
#include "ballast/policy.hpp"

namespace ballast::models {

struct GraniteMoeLayer : AttentionBlock {
  Parameter<MoeGate> moe_gate;
  Parameter<PackedGatedMoeMlp1> moe_mlp_1;
  Parameter<StackedMoeMlp2> moe_mlp_2;

  static constexpr auto param_mapping = mapping<GraniteMoeLayer>(
      inherits<AttentionBlock>,
      from("block_sparse_moe.router.layer.weight", to<&GraniteMoeLayer::moe_gate, &MoeGate::params>),
      from("block_sparse_moe.input_linear.weight", to<&GraniteMoeLayer::moe_mlp_1, &PackedGatedMoeMlp1::gate_up>),
      from("block_sparse_moe.output_linear.weight", to<&GraniteMoeLayer::moe_mlp_2, &StackedMoeMlp2::stacked>));
};
static_assert(well_mapped<GraniteMoeLayer>);

struct GraniteMoePolicy {
  static constexpr std::string_view name = "granitemoe";
  static constexpr std::array<std::string_view, 1> model_types{"granitemoe"};
  static constexpr std::array<std::string_view, 1> architectures{"GraniteMoeForCausalLM"};
  using Layer = GraniteMoeLayer;
  using NonTransformer = DecoderNonTransformer;

  static ContextRules context() {
    return {
        {"moe_intermediate_dim", "intermediate_dim"},
    };
  }
  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .layers({"model.layers"}, schema_of<GraniteMoeLayer>())
        .non_transformer(schema_of<DecoderNonTransformer>());
  }
};

}  // namespace ballast::models
