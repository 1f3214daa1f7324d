// What `ballast models` says of the architectures that Ballast knows.
#pragma once

#include <string>
#include <vector>

#include "ballast/policy.hpp"
#include "json.hpp"

namespace ballast::cli {

using Policies = std::vector<const InferencePolicy*>;

// The containers of a policy, each once; none where its container map is code.
[[nodiscard]] std::vector<const ContainerSchema*> containers_of(const InferencePolicy& policy);

[[nodiscard]] std::string models_text(const Policies& policies);
[[nodiscard]] Json models_json(const Policies& policies);
// docs/architectures.md
[[nodiscard]] std::string models_markdown(const Policies& policies);

}  // namespace ballast::cli
