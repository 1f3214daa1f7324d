// A formula in a policy's table follows the grammar.
// EXPECT: this_is_not_a_formula|FormulaText
#include "ballast/policy_rules.hpp"

using namespace ballast;

struct Policy {
  static ContextRules context() {
#ifdef GOOD
    return {{"n_heads_kv", "config.multi_query ?? true ? 1 : n_heads"}};
#else
    return {{"n_heads_kv", "config.multi_query ?? true ? 1"}};
#endif
  }
};
