// Layers of mixtures of experts: the experts under the names that most models publish them by, and which layers have
// them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/container_map.hpp"
#include "ballast/models/moe.hpp"

namespace ballast::models {

struct ExpertsBlock {
  Parameter<MoeGate> moe_gate;
  Parameter<GatedMoeMlp1> moe_mlp_1;
  Parameter<MoeMlp2> moe_mlp_2;

  static constexpr auto param_mapping = mapping<ExpertsBlock>(
      from_any({"mlp.gate.weight", "ffn_gate_inp.weight"}, to<&ExpertsBlock::moe_gate, &MoeGate::params>),
      from("mlp.experts.*.gate_proj.weight", to<&ExpertsBlock::moe_mlp_1, &SeparateGatedMoeMlp1::gating_experts>),
      from("mlp.experts.*.up_proj.weight", to<&ExpertsBlock::moe_mlp_1, &SeparateGatedMoeMlp1::up_experts>),
      from("mlp.experts.gate_up_proj", to<&ExpertsBlock::moe_mlp_1, &PackedGatedMoeMlp1::gate_up>),
      from("ffn_gate_exps.weight", to<&ExpertsBlock::moe_mlp_1, &StackedGatedMoeMlp1::stacked_gate>),
      from("ffn_up_exps.weight", to<&ExpertsBlock::moe_mlp_1, &StackedGatedMoeMlp1::stacked_up>),
      from("mlp.experts.*.down_proj.weight", to<&ExpertsBlock::moe_mlp_2, &SeparateMoeMlp2::experts>),
      from_any({"mlp.experts.down_proj", "ffn_down_exps.weight"},
               to<&ExpertsBlock::moe_mlp_2, &StackedMoeMlp2::stacked>));
};
static_assert(well_mapped<ExpertsBlock>);

struct SharedExpertsBlock {  // experts that every token goes through, stored as one MLP
  Parameter<SharedGatedMlp1> shared_moe_mlp_1;
  Parameter<SharedMlp2> shared_moe_mlp_2;

  static constexpr auto param_mapping = mapping<SharedExpertsBlock>(
      from("mlp.shared_experts.gate_proj.weight",
           to<&SharedExpertsBlock::shared_moe_mlp_1, &SharedGatedMlp1::gate_params>),
      from("mlp.shared_experts.up_proj.weight", to<&SharedExpertsBlock::shared_moe_mlp_1, &SharedGatedMlp1::up_params>),
      from("mlp.shared_experts.down_proj.weight", to<&SharedExpertsBlock::shared_moe_mlp_2, &SharedMlp2::params>));
};
static_assert(well_mapped<SharedExpertsBlock>);

// A container for each layer of the model.
template <class Dense, class Moe>
[[nodiscard]] std::vector<const ContainerSchema*> dense_or_moe(const ModelContext& m) {
  std::vector<const ContainerSchema*> layers;
  for (std::uint64_t i = 0; i < m.n_layers; ++i)
    layers.push_back(m.is_dense(i) ? &schema_of<Dense>() : &schema_of<Moe>());
  return layers;
}

// Experts of moe_intermediate_size behind first_k_dense_replace dense layers, and n_shared_experts shared ones.
void set_experts_after_dense_layers(ModelContext& m, const ModelConfig& config);

// A number that the config must state. Throws Error(context_invalid).
[[nodiscard]] std::uint64_t require_number(const ModelConfig& config, std::string_view key);

// The layer behind the last, which predicts further tokens: "model.layers.61".
[[nodiscard]] std::string next_token_layer(const ModelContext& m);

// Dense are the layers that "mlp_only_layers" lists, and all but every "decoder_sparse_step"-th.
[[nodiscard]] std::vector<std::uint64_t> dense_layers_by_step(const ModelConfig& config, std::uint64_t n_layers);

}  // namespace ballast::models
