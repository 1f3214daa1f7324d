// A parameter is an aggregate: its dependencies are put in from outside.
// EXPECT: parameter_has_members_that_are_not_dependencies.*Made
#include "declared.hpp"

struct Made {
#ifndef GOOD
  Made() = default;
#endif
  Dependency params;
  Recipe finalize(const ModelContext&) const { return params; }
};
struct Layer {
  Parameter<Made> norm;
};
static_assert(well_mapped<Layer>);
