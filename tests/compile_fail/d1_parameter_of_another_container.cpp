// D1: the parameter exists, but in another container.
// EXPECT: mapping_targets_parameter_of_another_container.*Other::norm
#include "declared.hpp"

struct Other {
  Parameter<Weight> norm;
};
struct Layer {
  Parameter<Weight> norm;
#ifdef GOOD
  static constexpr auto param_mapping = mapping<Layer>(from("norm.weight", to<&Layer::norm, &Weight::params>));
#else
  static constexpr auto param_mapping = mapping<Layer>(from("norm.weight", to<&Other::norm, &Weight::params>));
#endif
};
static_assert(well_mapped<Layer>);
