// D3: a rule has at least one target.
// EXPECT: mapping_rule_has_no_target.*rotary.inv_freq
#include "declared.hpp"

struct Layer {
  Parameter<Weight> norm;
  static constexpr auto param_mapping = mapping<Layer>(
#ifndef GOOD
      from("rotary.inv_freq"),
#endif
      from("norm.weight", to<&Layer::norm, &Weight::params>));
};
static_assert(well_mapped<Layer>);
