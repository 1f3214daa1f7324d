// A parameter is made of dependencies. A small last member would need no initialiser, and be kept by no copy.
// EXPECT: parameter_has_members_that_are_not_dependencies.*Scaled
#include "declared.hpp"

struct Scaled {
  Dependency params;
#ifndef GOOD
  int n_bits = 4;
#endif
  Recipe finalize(const ModelContext&) const { return params; }
};
struct Layer {
  Parameter<Scaled> norm;
};
static_assert(well_mapped<Layer>);
