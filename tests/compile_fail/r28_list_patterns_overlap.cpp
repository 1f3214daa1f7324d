// R28, for lists: '*' is one segment.
// EXPECT: mapping_sources_overlap.*experts\.\*\.up.*experts\.0\.\*
#include "declared.hpp"

struct Layer {
  Parameter<Experts> moe_mlp_1, moe_mlp_2;
#ifdef GOOD
  static constexpr auto param_mapping =
      mapping<Layer>(from("experts.*.up", to<&Layer::moe_mlp_1, &Experts::experts>),
                     from("experts.*.down", to<&Layer::moe_mlp_2, &Experts::experts>));
#else
  static constexpr auto param_mapping = mapping<Layer>(from("experts.*.up", to<&Layer::moe_mlp_1, &Experts::experts>),
                                                       from("experts.0.*", to<&Layer::moe_mlp_2, &Experts::experts>));
#endif
};
static_assert(well_mapped<Layer>);
