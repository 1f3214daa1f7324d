// Parameters that the cases put into containers.
#pragma once

#include "ballast/declare.hpp"

using namespace ballast;

struct Weight {
  Dependency params;
  Recipe finalize(const ModelContext&) const { return params; }
};

struct Qkv {
  Dependency q_params, k_params, v_params;
  Recipe finalize(const ModelContext&) const { return concat(0, q_params, k_params, v_params); }
};

struct Experts {
  DependencyList<&ModelContext::n_experts> experts;
  Recipe finalize(const ModelContext&) const { return stack(experts); }
};
