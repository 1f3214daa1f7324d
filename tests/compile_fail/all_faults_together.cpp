// One compilation names every fault of a mapping.
// EXPECT: mapping_leaves_unmapped.*qkv_w.*v_params
// EXPECT: mapping_fills_twice.*qkv_w.*q_params
// EXPECT: mapping_wildcard_is_wrong.*moe_mlp_1.*experts.up
// EXPECT: mapping_rule_has_no_target.*bias
#include "declared.hpp"

struct Layer {
  Parameter<Qkv> qkv_w;
  Parameter<Experts> moe_mlp_1;
#ifdef GOOD
  static constexpr auto param_mapping = mapping<Layer>(
      from("q", to<&Layer::qkv_w, &Qkv::q_params>), from("k", to<&Layer::qkv_w, &Qkv::k_params>),
      from("v", to<&Layer::qkv_w, &Qkv::v_params>), from("experts.*.up", to<&Layer::moe_mlp_1, &Experts::experts>));
#else
  static constexpr auto param_mapping =
      mapping<Layer>(from("q", to<&Layer::qkv_w, &Qkv::q_params>), from("k", to<&Layer::qkv_w, &Qkv::k_params>),
                     from("v", to<&Layer::qkv_w, &Qkv::q_params>),
                     from("experts.up", to<&Layer::moe_mlp_1, &Experts::experts>), from("bias"));
#endif
};
static_assert(well_mapped<Layer>);
