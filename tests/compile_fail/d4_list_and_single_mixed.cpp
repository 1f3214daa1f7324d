// D4: one rule never fills lists and single dependencies.
// EXPECT: mapping_mixes_list_and_single.*experts\.\*\.weight
#include "declared.hpp"

struct Layer {
  Parameter<Experts> moe_mlp_1;
  Parameter<Weight> mlp_1_w;
#ifdef GOOD
  static constexpr auto param_mapping =
      mapping<Layer>(from("experts.*.weight", to<&Layer::moe_mlp_1, &Experts::experts>),
                     from("shared.weight", to<&Layer::mlp_1_w, &Weight::params>));
#else
  static constexpr auto param_mapping = mapping<Layer>(
      from("experts.*.weight", to<&Layer::moe_mlp_1, &Experts::experts>, to<&Layer::mlp_1_w, &Weight::params>));
#endif
};
static_assert(well_mapped<Layer>);
