// Names of what a binding and a plan count by index.
#pragma once

#include <string>
#include <vector>

#include "ballast/binding.hpp"
#include "ballast/plan.hpp"

namespace ballast::cli {

[[nodiscard]] inline const std::string& parameter_name(const Binding& binding, const PlannedTensor& tensor) {
  return binding.containers[tensor.container].schema->parameters()[tensor.parameter].name;
}

// "qkv_w", "qkv_w/scale"
[[nodiscard]] inline std::string local_name(const Binding& binding, const PlannedTensor& tensor) {
  const std::string& parameter = parameter_name(binding, tensor);
  return tensor.aux.empty() ? parameter : parameter + "/" + tensor.aux;
}

// "transformer_layer_0.qkv_w"
[[nodiscard]] inline std::string full_name(const Binding& binding, const PlannedTensor& tensor) {
  return binding.containers[tensor.container].name + "." + local_name(binding, tensor);
}

// Names of the stored tensors that a parameter is made of, in the order of its dependencies.
[[nodiscard]] inline std::vector<std::string> source_names(const Catalog& catalog, const Binding& binding,
                                                           std::size_t container, std::size_t parameter) {
  const BoundContainer& bound = binding.containers[container];
  const SlotLayout& layout = *bound.layout;
  std::vector<std::string> names;
  const std::uint32_t end = layout.dependency_first[layout.parameter_first[parameter + 1]];
  for (std::uint32_t i = layout.dependency_first[layout.parameter_first[parameter]]; i < end; ++i)
    if (bound.sources[i] != kUnbound) names.push_back(catalog.tensors[bound.sources[i]].name);
  return names;
}

}  // namespace ballast::cli
