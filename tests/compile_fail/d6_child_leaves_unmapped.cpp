// D6: completeness is judged on the whole: base and child.
// EXPECT: mapping_leaves_unmapped.*q_norm.*params
#include "declared.hpp"

struct Base {
  Parameter<Weight> norm;
  static constexpr auto param_mapping = mapping<Base>(from("norm.weight", to<&Base::norm, &Weight::params>));
};
struct Child : Base {
  Parameter<Weight> q_norm;
#ifdef GOOD
  static constexpr auto param_mapping =
      mapping<Child>(inherits<Base>, from("q_norm.weight", to<&Child::q_norm, &Weight::params>));
#endif
};
static_assert(well_mapped<Base>);
static_assert(well_mapped<Child>);
