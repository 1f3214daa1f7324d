// Experts under the names that most models publish them by.
#pragma once

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

}  // namespace ballast::models
