// Schemas made at run time, in few words.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ballast/container_map.hpp"
#include "ballast/schema.hpp"

namespace ballast::test {

[[nodiscard]] inline DependencySchema single(std::string name) {
  DependencySchema dependency;
  dependency.name = std::move(name);
  return dependency;
}
[[nodiscard]] inline DependencySchema optional(std::string name) {
  DependencySchema dependency = single(std::move(name));
  dependency.kind = DependencyKind::optional;
  return dependency;
}
[[nodiscard]] inline DependencySchema list(std::string name, std::string length = "n_experts") {
  DependencySchema dependency = single(std::move(name));
  dependency.kind = DependencyKind::list;
  dependency.length_name = std::move(length);
  return dependency;
}
[[nodiscard]] inline DependencySchema in_form(std::uint8_t form, DependencySchema dependency) {
  dependency.form = form;
  return dependency;
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
