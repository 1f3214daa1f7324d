// Running a recipe on tensors in memory.
#pragma once

#include <span>

#include "ballast/model_context.hpp"
#include "ballast/schema.hpp"
#include "ballast/tensor.hpp"

namespace ballast::containers {

// The final tensor of a parameter from its dependencies: `sources[d]` are the tensors of dependency d (none for an
// absent optional one). The result owns its memory; nothing of the sources is kept. Throws what finalize and the recipe
// throw.
[[nodiscard]] InferenceParameter finalise(const ParameterSchema& parameter, const ModelContext& model,
                                          std::span<const std::vector<Tensor>> sources);

}  // namespace ballast::containers
