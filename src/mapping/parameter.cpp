#include "ballast/parameter.hpp"

#include "ballast/declare.hpp"
#include "ballast/error.hpp"

namespace ballast::detail {

const Recipe& DependencySlot::single() const {
  if (operands_.empty()) {
    Diagnostic d;
    d.code = Errc::not_loaded;
    d.operation = "finalize";
    d.what = "a recipe uses a dependency that this checkpoint does not have";
    d.cause = "ask an OptionalDependency with has_value() before using it";
    throw Error(std::move(d));
  }
  return operands_.front();
}

void fill_schema(const ParameterDesc& desc, const ParameterType& type, ParameterSchema& schema) {
  schema.name = desc.name;
  schema.type = type.name;
  for (std::size_t i = 0; i < desc.dependencies.size(); ++i) {
    DependencySchema dependency;
    dependency.name = desc.dependencies[i].name;
    dependency.kind = desc.dependencies[i].kind;
    if (dependency.kind == DependencyKind::list) {
      dependency.length_name = type.notes[i].length_name;
      dependency.length = type.notes[i].length;
    }
    if (!type.forms.empty()) dependency.form = type.forms[i];
    schema.dependencies.push_back(std::move(dependency));
  }
  schema.finalize = [finalize = type.finalize, n = type.dependencies.size()](const ModelContext& m,
                                                                             const Operands& operands) {
    std::vector<std::span<const Recipe>> spans(n);
    for (std::size_t i = 0; i < n; ++i) spans[i] = operands[i];
    return finalize(m, spans);
  };
}

}  // namespace ballast::detail
