// D4: onto a single dependency '*' may only stand for a leading path.
// EXPECT: mapping_wildcard_is_wrong.*norm.*layers\.\*\.weight
#include "declared.hpp"

struct Layer {
  Parameter<Weight> norm;
#ifdef GOOD
  static constexpr auto param_mapping = mapping<Layer>(from("*.weight", to<&Layer::norm, &Weight::params>));
#else
  static constexpr auto param_mapping = mapping<Layer>(from("layers.*.weight", to<&Layer::norm, &Weight::params>));
#endif
};
static_assert(well_mapped<Layer>);
