// R2: a parameter has a finalize.
// EXPECT: 'finalize'
#include "declared.hpp"

struct Raw {
  Dependency params;
#ifdef GOOD
  Recipe finalize(const ModelContext&) const { return params; }
#endif
};
struct Layer {
  Parameter<Raw> norm;
};
static_assert(well_mapped<Layer>);
