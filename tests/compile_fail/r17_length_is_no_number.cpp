// R17: ... and a number.
// EXPECT: constraint.*DependencyList|template constraint failure
#include "declared.hpp"

struct Mlp {
#ifdef GOOD
  DependencyList<&ModelContext::n_experts> experts;
#else
  DependencyList<&ModelContext::model_type> experts;
#endif
};
