// D1: a target names a dependency of the parameter. The language itself names the one that is not there.
// EXPECT: 'weight' is not a member of 'Weight'|no member named 'weight' in 'Weight'
#include "declared.hpp"

struct Layer {
  Parameter<Weight> norm;
#ifdef GOOD
  static constexpr auto param_mapping = mapping<Layer>(from("norm.weight", to<&Layer::norm, &Weight::params>));
#else
  static constexpr auto param_mapping = mapping<Layer>(from("norm.weight", to<&Layer::norm, &Weight::weight>));
#endif
};
static_assert(well_mapped<Layer>);
