// Which policy the names of a checkpoint look like.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ballast/error.hpp"
#include "ballast/policy.hpp"

namespace ballast {

// How well the names fit each of these policies, the best first; equals keep their order.
[[nodiscard]] std::vector<Resemblance> resemblances_of(const Catalog& catalog,
                                                       std::span<const InferencePolicy* const> policies);

// Names do not fit the policy that was chosen: says which one of the registry, or of Ballast's own, they look like, or
// that they look like none. Nothing where they look most like the chosen one.
[[nodiscard]] std::optional<Diagnostic> another_architecture(const Catalog& catalog, const InferencePolicy& chosen,
                                                             const PolicyRegistry& registry);

// "'llama' (291 of 291 names)": the policies that the names look like; empty where there are none.
[[nodiscard]] std::string looks_like(const Catalog& catalog, const PolicyRegistry& registry);

}  // namespace ballast
