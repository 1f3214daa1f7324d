// A container that the rows look at.
#pragma once

#include <string>
#include <vector>

#include "ballast/declare.hpp"

namespace ballast::reference {

struct UnfusedQkv {
  Dependency q_params, k_params, v_params;
  Recipe finalize(const ModelContext&) const { return concat(0, q_params, k_params, v_params); }
};
struct Weight {
  Dependency params;
  Recipe finalize(const ModelContext&) const { return params; }
};
struct Experts {
  DependencyList<&ModelContext::n_experts> experts;
  Recipe finalize(const ModelContext&) const { return stack(experts); }
};

struct Layer {
  Parameter<UnfusedQkv> qkv_w;
  Parameter<Weight> attn_out_w;
  Parameter<Experts> moe_mlp_1;
  static constexpr auto param_mapping =
      mapping<Layer>(from("self_attn.q_proj.weight", to<&Layer::qkv_w, &UnfusedQkv::q_params>),
                     from("self_attn.k_proj.weight", to<&Layer::qkv_w, &UnfusedQkv::k_params>),
                     from("self_attn.v_proj.weight", to<&Layer::qkv_w, &UnfusedQkv::v_params>),
                     from("self_attn.o_proj.weight", to<&Layer::attn_out_w, &Weight::params>),
                     from("mlp.experts.*.up_proj.weight", to<&Layer::moe_mlp_1, &Experts::experts>));
};
static_assert(well_mapped<Layer>);

// "parameter.dependency" of everything that a source fills.
[[nodiscard]] inline std::vector<std::string> filled_by(const ContainerSchema& schema, std::string_view source) {
  std::vector<std::string> targets;
  if (const auto match = schema.match_one(source))
    for (const MappingTarget& target : schema.rules()[match->rule].targets)
      targets.push_back(target.parameter + "." + target.dependency);
  return targets;
}
using Targets = std::vector<std::string>;

}  // namespace ballast::reference
