// D6: a child's own mapping does not have the rules of its base unless it says so.
// EXPECT: mapping_leaves_unmapped.*norm.*params
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
#else
  static constexpr auto param_mapping = mapping<Child>(from("q_norm.weight", to<&Child::q_norm, &Weight::params>));
#endif
};
static_assert(well_mapped<Child>);
