// D4: a rule onto a list has exactly one '*', the index.
// EXPECT: mapping_wildcard_is_wrong.*moe_mlp_1.*blocks\.\*\.experts\.\*\.weight
#include "declared.hpp"

struct Layer {
  Parameter<Experts> moe_mlp_1;
#ifdef GOOD
  static constexpr auto param_mapping =
      mapping<Layer>(from("blocks.experts.*.weight", to<&Layer::moe_mlp_1, &Experts::experts>));
#else
  static constexpr auto param_mapping =
      mapping<Layer>(from("blocks.*.experts.*.weight", to<&Layer::moe_mlp_1, &Experts::experts>));
#endif
};
static_assert(well_mapped<Layer>);
