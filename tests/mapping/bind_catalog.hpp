// Catalogs that are nothing but names, and what binding them says.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ballast/binding.hpp"
#include "mapping/schemas.hpp"
#include "support/faults.hpp"

namespace ballast::test {

[[nodiscard]] inline Catalog catalog_of(std::vector<std::string> names) {
  Catalog catalog;
  catalog.path = "/models/m";
  catalog.files.emplace_back().path = "/models/m/model.safetensors";
  for (std::string& name : names) catalog.tensors.push_back({std::move(name), DType::F32, {1}, 0, 0, 4});
  return catalog;
}

[[nodiscard]] inline ModelContext context_of(std::uint64_t n_layers, std::uint64_t n_experts = 0) {
  ModelContext context;
  context.n_layers = n_layers;
  context.n_experts = n_experts;
  return context;
}

// Ordered alternatives for one dependency, and where it is tied to.
[[nodiscard]] inline MappingRule any_of(std::vector<std::string> sources, std::string parameter,
                                        std::vector<std::string> tied_to = {}) {
  return {std::move(sources), {{std::move(parameter), "params"}}, std::move(tied_to)};
}

// One container for everything, by full names.
[[nodiscard]] inline ContainerMap only(const ContainerSchema& schema) { return ContainerMap().non_transformer(schema); }

[[nodiscard]] inline Binding bind_names(std::vector<std::string> names, const ContainerMap& map,
                                        const ModelContext& context = {}) {
  return bind(catalog_of(std::move(names)), map, context);
}

[[nodiscard]] inline std::optional<Error> bind_error(std::vector<std::string> names, const ContainerMap& map,
                                                     const ModelContext& context = {}) {
  return error_of([&] { (void)bind_names(std::move(names), map, context); });
}

}  // namespace ballast::test
