// R28: that a name can match two patterns is known before there is one.
// EXPECT: mapping_sources_overlap.*\*\.norm\.weight.*\*\.weight
#include "declared.hpp"

struct Layer {
  Parameter<Weight> norm, final_norm;
#ifdef GOOD
  static constexpr auto param_mapping = mapping<Layer>(from("*.norm.weight", to<&Layer::norm, &Weight::params>),
                                                       from("*.ln.weight", to<&Layer::final_norm, &Weight::params>));
#else
  static constexpr auto param_mapping = mapping<Layer>(from("*.norm.weight", to<&Layer::norm, &Weight::params>),
                                                       from("*.weight", to<&Layer::final_norm, &Weight::params>));
#endif
};
static_assert(well_mapped<Layer>);
