// D2: every dependency has a rule. All that have none are listed, over all parameters.
// EXPECT: mapping_leaves_unmapped.*qkv_w.*k_params.*qkv_w.*v_params.*mlp_1_w.*params
#include "declared.hpp"

struct Layer {
  Parameter<Qkv> qkv_w;
  Parameter<Weight> attn_out_w;
  Parameter<Weight> mlp_1_w;
  static constexpr auto param_mapping = mapping<Layer>(
#ifdef GOOD
      from("k", to<&Layer::qkv_w, &Qkv::k_params>), from("v", to<&Layer::qkv_w, &Qkv::v_params>),
      from("up", to<&Layer::mlp_1_w, &Weight::params>),
#endif
      from("q", to<&Layer::qkv_w, &Qkv::q_params>), from("o", to<&Layer::attn_out_w, &Weight::params>));
};
static_assert(well_mapped<Layer>);
