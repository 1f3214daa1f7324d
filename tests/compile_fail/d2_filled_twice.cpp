// D2: no dependency has two rules; two names for one source are alternatives of one rule.
// EXPECT: mapping_fills_twice.*attn_out_w.*params
#include "declared.hpp"

struct Layer {
  Parameter<Weight> attn_out_w;
#ifdef GOOD
  static constexpr auto param_mapping =
      mapping<Layer>(from_any({"o_proj", "dense"}, to<&Layer::attn_out_w, &Weight::params>));
#else
  static constexpr auto param_mapping = mapping<Layer>(from("o_proj", to<&Layer::attn_out_w, &Weight::params>),
                                                       from("dense", to<&Layer::attn_out_w, &Weight::params>));
#endif
};
static_assert(well_mapped<Layer>);
