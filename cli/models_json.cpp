#include "models.hpp"

namespace ballast::cli {

namespace {

std::string_view name(DependencyKind kind) {
  if (kind == DependencyKind::list) return "list";
  return kind == DependencyKind::optional ? "optional" : "single";
}

Json to_json(const ParameterSchema& parameter) {
  Json dependencies = Json::array();
  for (const DependencySchema& dependency : parameter.dependencies) {
    Json one{{"name", dependency.name}, {"kind", name(dependency.kind)}};
    if (dependency.kind == DependencyKind::list) one["length"] = dependency.length_name;
    dependencies.push_back(std::move(one));
  }
  return {{"name", parameter.name}, {"type", parameter.type}, {"dependencies", std::move(dependencies)}};
}

Json to_json(const ContainerSchema& container) {
  Json parameters = Json::array();
  for (const ParameterSchema& parameter : container.parameters()) parameters.push_back(to_json(parameter));
  return {{"name", container.name()}, {"parameters", std::move(parameters)}};
}

}  // namespace

Json models_json(const Policies& policies) {
  Json all = Json::array();
  for (const InferencePolicy* policy : policies) {
    Json containers = Json::array();
    for (const ContainerSchema* container : containers_of(*policy)) containers.push_back(to_json(*container));
    all.push_back({{"name", policy->name()},
                   {"model_types", policy->model_types()},
                   {"architectures", policy->architectures()},
                   {"containers", std::move(containers)}});
  }
  return {{"policies", std::move(all)}};
}

}  // namespace ballast::cli
