// D1: a target names a parameter of the container. The language itself names the one that is not there.
// EXPECT: incomplete type 'Layer' used in nested name|no member named 'norm_w' in 'Layer'
#include "declared.hpp"

struct Layer {
  Parameter<Weight> norm;
#ifdef GOOD
  static constexpr auto param_mapping = mapping<Layer>(from("norm.weight", to<&Layer::norm, &Weight::params>));
#else
  static constexpr auto param_mapping = mapping<Layer>(from("norm.weight", to<&Layer::norm_w, &Weight::params>));
#endif
};
static_assert(well_mapped<Layer>);
