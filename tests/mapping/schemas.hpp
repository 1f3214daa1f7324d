// Schemas made at run time, in few words.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ballast/container_map.hpp"
#include "ballast/schema.hpp"

namespace ballast::test {

[[nodiscard]] inline DependencySchema single(std::string name) { return {std::move(name), {}, {}, {}}; }
[[nodiscard]] inline DependencySchema optional(std::string name) {
  return {std::move(name), DependencyKind::optional, {}, {}};
}
[[nodiscard]] inline DependencySchema list(std::string name, std::string length = "n_experts") {
  return {std::move(name), DependencyKind::list, std::move(length), {}};
}

[[nodiscard]] inline ParameterSchema parameter(std::string name, std::vector<DependencySchema> dependencies) {
  return {std::move(name), "Test", std::move(dependencies), {}};
}
[[nodiscard]] inline ParameterSchema weight(std::string name) { return parameter(std::move(name), {single("params")}); }
[[nodiscard]] inline ParameterSchema qkv(std::string name) {
  return parameter(std::move(name), {single("q_params"), single("k_params"), single("v_params")});
}
[[nodiscard]] inline ParameterSchema experts(std::string name) { return parameter(std::move(name), {list("experts")}); }

using Parameters = std::vector<ParameterSchema>;
using TextRules = std::vector<std::pair<std::string, std::vector<std::string>>>;

// A container named "layer".
[[nodiscard]] inline ContainerSchema layer(Parameters parameters, TextRules rules) {
  return ContainerSchema::make("layer", std::move(parameters), std::move(rules));
}

}  // namespace ballast::test
