// Where a container's dependencies have their entries.
#include "ballast/binding.hpp"

namespace ballast {

SlotLayout::SlotLayout(const ContainerSchema& schema, const ModelContext& context) {
  std::uint64_t next = 0;
  const auto put = [&](std::uint64_t at) {
    if (at >= kUnbound) {
      Diagnostic d;
      d.code = Errc::limit_exceeded;
      d.operation = "bind";
      d.container = schema.name();
      d.what = "a container has too many dependencies";
      throw Error(std::move(d));
    }
    dependency_first.push_back(static_cast<std::uint32_t>(at));
  };
  for (const ParameterSchema& parameter : schema.parameters()) {
    parameter_first.push_back(static_cast<std::uint32_t>(dependency_first.size()));
    for (const DependencySchema& dependency : parameter.dependencies) {
      put(next);
      next += dependency.kind == DependencyKind::list ? list_length(dependency, context) : 1;
    }
  }
  parameter_first.push_back(static_cast<std::uint32_t>(dependency_first.size()));
  put(next);
}

}  // namespace ballast
