// '*' is a whole segment.
// EXPECT: mapping_source_is_malformed.*moe_mlp_1.*expert_\*\.weight
#include "declared.hpp"

struct Layer {
  Parameter<Experts> moe_mlp_1;
#ifdef GOOD
  static constexpr auto param_mapping =
      mapping<Layer>(from("expert.*.weight", to<&Layer::moe_mlp_1, &Experts::experts>));
#else
  static constexpr auto param_mapping =
      mapping<Layer>(from("expert_*.weight", to<&Layer::moe_mlp_1, &Experts::experts>));
#endif
};
static_assert(well_mapped<Layer>);
