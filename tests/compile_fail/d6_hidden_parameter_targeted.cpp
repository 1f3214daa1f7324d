// D6: a parameter that the child declares anew hides that of its base; a rule of the child cannot mean the hidden one.
// EXPECT: mapping_targets_what_is_hidden.*q_proj.weight
#include "declared.hpp"

struct Base {
  Parameter<Qkv> qkv_w;
};
struct Child : Base {
  Parameter<Weight> qkv_w;
#ifdef GOOD
  static constexpr auto param_mapping = mapping<Child>(from("qkv.weight", to<&Child::qkv_w, &Weight::params>));
#else
  static constexpr auto param_mapping = mapping<Child>(from("qkv.weight", to<&Child::qkv_w, &Weight::params>),
                                                       from("q_proj.weight", to<&Base::qkv_w, &Qkv::q_params>));
#endif
};
static_assert(well_mapped<Child>);
