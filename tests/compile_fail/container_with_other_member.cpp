// A container is made of parameters.
// EXPECT: container_has_members_that_are_not_parameters.*Layer
#include "declared.hpp"

struct Layer {
  Parameter<Weight> norm;
#ifndef GOOD
  int n_heads = 0;
#endif
};
static_assert(well_mapped<Layer>);
