// D1: the dependency exists, but in another parameter. The valid ones are listed.
// EXPECT: mapping_targets_dependency_of_another_parameter.*Layer::qkv_w.*Weight::params
// EXPECT: mapping_targets_dependency_of_another_parameter.*q_params.*k_params.*v_params
#include "declared.hpp"

struct Layer {
  Parameter<Qkv> qkv_w;
#ifdef GOOD
  static constexpr auto param_mapping =
      mapping<Layer>(from("q", to<&Layer::qkv_w, &Qkv::q_params>), from("k", to<&Layer::qkv_w, &Qkv::k_params>),
                     from("v", to<&Layer::qkv_w, &Qkv::v_params>));
#else
  static constexpr auto param_mapping =
      mapping<Layer>(from("q", to<&Layer::qkv_w, &Weight::params>), from("k", to<&Layer::qkv_w, &Qkv::k_params>),
                     from("v", to<&Layer::qkv_w, &Qkv::v_params>));
#endif
};
static_assert(well_mapped<Layer>);
