// docs/architectures.md, from the registry.
#include <fmt/format.h>

#include "models.hpp"

namespace ballast::cli {

namespace {

template <class Names>
std::string code(const Names& names, std::string_view separator = ", ") {
  std::string text;
  for (const auto& name : names) text += fmt::format("{}`{}`", text.empty() ? "" : separator, name);
  return text;
}

// The source names of a parameter, dependency by dependency.
std::string sources_of(const ContainerSchema& container, std::size_t parameter) {
  std::string text;
  const ParameterSchema& schema = container.parameters()[parameter];
  for (std::size_t d = 0; d < schema.dependencies.size(); ++d) {
    const auto rule = container.rule_of(parameter, d);
    if (!rule) continue;
    text += text.empty() ? "" : "; ";
    text += code(container.rules()[*rule].sources, " or ");
    if (schema.dependencies[d].kind == DependencyKind::optional) text += " (optional)";
  }
  return text;
}

std::string table_of(const ContainerSchema& container) {
  std::string text = fmt::format("\n`{}`:\n\n| parameter | made by | of |\n|---|---|---|\n", container.name());
  for (std::size_t p = 0; p < container.n_params(); ++p) {
    const ParameterSchema& parameter = container.parameters()[p];
    text += fmt::format("| `{}` | {} | {} |\n", parameter.name, parameter.type, sources_of(container, p));
  }
  return text;
}

std::string choices(const std::vector<ContainerMapRules::Choice>& all) {
  std::string text;
  for (const ContainerMapRules::Choice& one : all)
    text += fmt::format("{}`{}`{}", text.empty() ? "" : ", else ", one.schema->name(),
                        one.when == "true" ? "" : fmt::format(" where `{}`", one.when));
  return text;
}

std::string map_of(const ContainerMapRules& map) {
  std::string text;
  for (const std::string& root : map.roots()) text += fmt::format("- names with or without `{}.` before them\n", root);
  for (const ContainerMapRules::Layers& group : map.layer_groups()) {
    std::vector<std::string> names;
    for (const std::string& prefix : group.prefixes) names.push_back(prefix + ".N");
    text += fmt::format("- layers {}: {}\n", code(names, " or "), choices(group.choices));
  }
  if (!map.rest().empty()) text += fmt::format("- the rest: {}\n", choices(map.rest()));
  for (const ContainerMapRules::Skip& skip : map.skips())
    text += fmt::format("- skipped: `{}` ({}){}\n", skip.pattern, skip.reason,
                        skip.when == "true" ? "" : fmt::format(", where `{}`", skip.when));
  return text;
}

std::string section(const InferencePolicy& policy) {
  std::string text = fmt::format("\n## {}\n", policy.name());
  text +=
      fmt::format("- model types: {}\n- architectures: {}\n", code(policy.model_types()), code(policy.architectures()));
  if (const ContextRules* rules = policy.context_rules())
    for (const ContextRules::Rule& rule : rules->rules())
      text += fmt::format("- `{}` is `{}`\n", rule.name, rule.formula);
  if (const ContainerMapRules* map = policy.container_map_rules()) text += map_of(*map);
  for (const ContainerSchema* container : containers_of(policy)) text += table_of(*container);
  return text;
}

constexpr std::string_view kIntroduction = R"(# Architectures

What Ballast loads, from its own declarations in `include/ballast/models/` (made by `ballast models --markdown`; a test
says when it is old). A model type is what a config.json calls `model_type`, or a GGUF file `general.architecture`.
Names in a table are relative to the layer; `*` is the number of an expert. What makes a parameter is in
[recipes.md](recipes.md) and the headers, formulas are explained in [schema-files.md](schema-files.md), and
`ballast models --export NAME` prints all of this as a file that can be changed and loaded.

| policy | model types | containers |
|---|---|---|
)";

}  // namespace

std::string models_markdown(const Policies& policies) {
  std::string text(kIntroduction);
  for (const InferencePolicy* policy : policies) {
    std::vector<std::string> names;
    for (const ContainerSchema* container : containers_of(*policy)) names.push_back(container->name());
    text += fmt::format("| [{0}](#{0}) | {1} | {2} |\n", policy->name(), code(policy->model_types()), code(names));
  }
  for (const InferencePolicy* policy : policies) text += section(*policy);
  return text;
}

}  // namespace ballast::cli
