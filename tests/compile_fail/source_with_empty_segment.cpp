// A source has no empty segment.
// EXPECT: mapping_source_is_malformed.*norm.*norm\.\.weight
#include "declared.hpp"

struct Layer {
  Parameter<Weight> norm;
#ifdef GOOD
  static constexpr auto param_mapping = mapping<Layer>(from("norm.weight", to<&Layer::norm, &Weight::params>));
#else
  static constexpr auto param_mapping = mapping<Layer>(from("norm..weight", to<&Layer::norm, &Weight::params>));
#endif
};
static_assert(well_mapped<Layer>);
