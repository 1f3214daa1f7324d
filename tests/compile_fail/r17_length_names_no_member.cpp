// R17: the length of a list is a member of the model context.
// EXPECT: 'n_expertz'
#include "declared.hpp"

struct Mlp {
#ifdef GOOD
  DependencyList<&ModelContext::n_experts> experts;
#else
  DependencyList<&ModelContext::n_expertz> experts;
#endif
};
