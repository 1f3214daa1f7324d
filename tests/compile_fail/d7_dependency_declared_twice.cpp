// D7: a parameter has the dependencies of its base; one of the same name would leave the inherited one empty.
// EXPECT: parameter_declares_dependency_twice.*scaled.*params
#include "declared.hpp"

struct Scaled : Weight {
#ifdef GOOD
  Dependency scales;
#else
  Dependency params;
#endif
};
struct Layer {
  Parameter<Scaled> scaled;
};
static_assert(well_mapped<Layer>);
