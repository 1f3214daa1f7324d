// D5: a source has one rule, with all its targets.
// EXPECT: mapping_repeats_source.*mlp_1_b.*shared.weight
#include "declared.hpp"

struct Layer {
  Parameter<Weight> mlp_1_w, mlp_1_b;
#ifdef GOOD
  static constexpr auto param_mapping =
      mapping<Layer>(from("shared.weight", to<&Layer::mlp_1_w, &Weight::params>, to<&Layer::mlp_1_b, &Weight::params>));
#else
  static constexpr auto param_mapping = mapping<Layer>(from("shared.weight", to<&Layer::mlp_1_w, &Weight::params>),
                                                       from("shared.weight", to<&Layer::mlp_1_b, &Weight::params>));
#endif
};
static_assert(well_mapped<Layer>);
