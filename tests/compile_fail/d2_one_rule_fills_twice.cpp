// D2: nor does one rule fill a dependency twice.
// EXPECT: mapping_fills_twice.*norm.*params
#include "declared.hpp"

struct Layer {
  Parameter<Weight> norm;
#ifdef GOOD
  static constexpr auto param_mapping = mapping<Layer>(from("w", to<&Layer::norm, &Weight::params>));
#else
  static constexpr auto param_mapping =
      mapping<Layer>(from("w", to<&Layer::norm, &Weight::params>, to<&Layer::norm, &Weight::params>));
#endif
};
static_assert(well_mapped<Layer>);
