// D7: the dependencies that a parameter has from its base need rules as its own do.
// EXPECT: mapping_leaves_unmapped.*scaled.*params
#include "declared.hpp"

struct Scaled : Weight {
  Dependency scales;
};
struct Layer {
  Parameter<Scaled> scaled;
  static constexpr auto param_mapping = mapping<Layer>(
#ifdef GOOD
      from("w.weight", to<&Layer::scaled, &Scaled::params>),
#endif
      from("w.scale", to<&Layer::scaled, &Scaled::scales>));
};
static_assert(well_mapped<Layer>);
