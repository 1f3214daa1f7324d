// A policy as a schema file.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "ballast/error.hpp"
#include "ballast/schema_file.hpp"
#include "formula/check.hpp"
#include "formula/model_scope.hpp"
#include "schema_file/json.hpp"
#include "schema_file/trace.hpp"

namespace ballast {

namespace {

using namespace schema_file;

// Written as one would by hand: a line for what a person reads as one.
std::string texts(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& one : all) text += (text.empty() ? "" : ", ") + quoted_json(one);
  return fmt::format("[{}]", text);
}
std::string one_or_more(const std::vector<std::string>& all) {
  return all.size() == 1 ? quoted_json(all.front()) : texts(all);
}

class Exporter {
 public:
  explicit Exporter(const InferencePolicy& policy) : policy_(policy) {}

  std::string run() {
    const ContextRules* context = policy_.context_rules();
    const ContainerMapRules* map = policy_.container_map_rules();
    if (context == nullptr) complain("its context is code, not a table", "context() that returns ContextRules");
    if (map == nullptr)
      complain("its container map is code, not a table", "container_map() that returns ContainerMapRules");
    faults_.throw_if_any();
    names_ = formula::names_of_model(*context, false);
    for (const ContextRules::Rule& rule : context->rules()) {
      const formula::Kind kind = names_.kinds.at(rule.name);
      if (kind == formula::Kind::boolean)
        of_recipes_.conditions.push_back(rule.name);
      else if (kind != formula::Kind::list)
        of_recipes_.numbers.push_back(rule.name);
    }
    // From here on it is known what recipes may refer to.
    const std::string containers = write_containers(*map);
    faults_.throw_if_any();
    std::string types;
    for (const std::string& name : type_order_) types += (types.empty() ? "" : ",\n") + types_.at(name).text;
    return fmt::format(
        "{{\n  \"ballast_schema\": 1,\n  \"name\": {},\n  \"model_types\": {},\n  \"architectures\": {},\n"
        "{}  \"parameters\": {{\n{}\n  }},\n  \"containers\": {{\n{}\n  }},\n"
        "  \"container_map\": {{\n{}\n  }}\n}}\n",
        quoted_json(policy_.name()), names(policy_.model_types()), names(policy_.architectures()),
        write_context(*context), types, containers, write_map(*map));
  }

 private:
  struct Type {
    std::string body;  // without its name
    std::string text;
  };

  void complain(std::string what, std::string expected) {
    faults_.add({.code = Errc::invalid_argument,
                 .what = fmt::format("policy '{}' cannot be written to a schema file: {}", policy_.name(), what),
                 .operation = "export schema",
                 .expected = std::move(expected)});
  }

  static std::string names(const std::vector<std::string_view>& all) {
    return texts(std::vector<std::string>(all.begin(), all.end()));
  }

  static std::string write_context(const ContextRules& rules) {
    std::string text;
    for (const ContextRules::Rule& rule : rules.rules())
      text += fmt::format("{}\n    {}: {}", text.empty() ? "" : ",", quoted_json(rule.name), quoted_json(rule.formula));
    return text.empty() ? text : fmt::format("  \"context\": {{{}\n  }},\n", text);
  }

  // ---- parameter types

  std::string write_dependencies(const ParameterSchema& parameter, std::uint32_t form) {
    std::string text;
    for (const DependencySchema& dependency : parameter.dependencies) {
      if (dependency.form != form) continue;
      std::string kind = dependency.kind == DependencyKind::optional ? "\"optional\"" : "\"single\"";
      if (dependency.kind == DependencyKind::list)
        kind = fmt::format("{{\"list\": {}}}", length(parameter, dependency));
      text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", quoted_json(dependency.name), kind);
    }
    return fmt::format("{{{}}}", text);
  }

  std::string length(const ParameterSchema& parameter, const DependencySchema& dependency) {
    std::vector<formula::Fault> faults;
    if (!formula::compile(dependency.length_name, names_, formula::Kind::number, faults))
      complain(fmt::format("list '{}' of {} has a length that is no number by name", dependency.name, parameter.type),
               "a data member of ModelContext, or the name of a rule of its context");
    return quoted_json(dependency.length_name);
  }

  std::string write_type(const ParameterSchema& parameter) {
    std::vector<TracedForm> forms;
    try {
      forms = trace(parameter, of_recipes_);
    } catch (const Error& error) {
      for (const Diagnostic& d : error.diagnostics()) {
        complain(fmt::format("parameter '{}' ({}): {}", parameter.name, parameter.type, d.what),
                 "a recipe that is a formula");
        return "{}";
      }
    }
    const auto write = [&](const TracedForm& form, std::string_view indent) {
      return fmt::format("{{\n{0}  \"dependencies\": {1},\n{0}  \"recipe\": {2}\n{0}}}", indent,
                         write_dependencies(parameter, form.form), quoted_json(form.recipe));
    };
    if (forms.size() == 1 && forms.front().form == 0) return write(forms.front(), "    ");
    std::string all;
    for (const TracedForm& form : forms) all += (all.empty() ? "" : ", ") + write(form, "      ");
    return fmt::format("{{\n      \"forms\": [{}]\n    }}", all);
  }

  // The name of a parameter's type in the file. Types of one name that differ get names of their own.
  std::string type_of(const ParameterSchema& parameter) {
    const std::string body = write_type(parameter);
    const std::string wanted = is_name(parameter.type) ? parameter.type : parameter.name;
    for (std::size_t i = 1;; ++i) {
      std::string name = i == 1 ? wanted : fmt::format("{}_{}", wanted, i);
      const auto [at, is_new] = types_.try_emplace(name);
      if (!is_new && at->second.body != body) continue;
      if (is_new) {
        at->second = {body, fmt::format("    {}: {}", quoted_json(name), body)};
        type_order_.push_back(name);
      }
      return name;
    }
  }
  static bool is_name(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
      return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    });
  }

  // ---- containers

  std::string write_containers(const ContainerMapRules& map) {
    std::vector<const ContainerSchema*> all;
    const auto add = [&](const std::vector<ContainerMapRules::Choice>& choices) {
      for (const ContainerMapRules::Choice& choice : choices)
        if (std::find(all.begin(), all.end(), choice.schema) == all.end()) all.push_back(choice.schema);
    };
    for (const ContainerMapRules::Layers& group : map.layer_groups()) add(group.choices);
    add(map.rest());
    std::string text;
    for (const ContainerSchema* schema : all) {
      std::string name = schema->name();
      for (std::size_t i = 2; std::any_of(container_names_.begin(), container_names_.end(),
                                          [&](const auto& taken) { return taken.second == name; });
           ++i)
        name = fmt::format("{}_{}", schema->name(), i);
      container_names_.emplace(schema, name);
      text += (text.empty() ? "" : ",\n") + write_container(*schema, name);
    }
    return text;
  }

  std::string write_container(const ContainerSchema& schema, const std::string& name) {
    std::string parameters, rules;
    for (const ParameterSchema& parameter : schema.parameters())
      parameters += fmt::format("{}        {}: {}", parameters.empty() ? "" : ",\n", quoted_json(parameter.name),
                                quoted_json(type_of(parameter)));
    for (const MappingRule& rule : schema.rules()) {
      std::vector<std::string> targets;
      for (const MappingTarget& target : rule.targets) targets.push_back(target.parameter + "." + target.dependency);
      rules += fmt::format("{}        {{\"from\": {}, \"to\": {}{}}}", rules.empty() ? "" : ",\n",
                           one_or_more(rule.sources), one_or_more(targets),
                           rule.tied_to.empty() ? "" : fmt::format(", \"tied_to\": {}", one_or_more(rule.tied_to)));
    }
    if (!rules.empty()) rules = fmt::format(",\n      \"rules\": [\n{}\n      ]", rules);
    return fmt::format("    {}: {{\n      \"parameters\": {{\n{}\n      }}{}\n    }}", quoted_json(name), parameters,
                       rules);
  }

  // ---- the map

  std::string container(const ContainerMapRules::Choice& choice) const {
    return quoted_json(container_names_.at(choice.schema));
  }
  static std::string when(const std::string& condition) {
    return condition == "true" ? "" : fmt::format(", \"when\": {}", quoted_json(condition));
  }
  std::string choices(const std::vector<ContainerMapRules::Choice>& all) const {
    std::string text;
    for (const ContainerMapRules::Choice& one : all)
      text += fmt::format("{}{{\"container\": {}{}}}", text.empty() ? "" : ", ", container(one), when(one.when));
    return fmt::format("[{}]", text);
  }
  static bool is_one(const std::vector<ContainerMapRules::Choice>& all) {
    return all.size() == 1 && all.front().when == "true";
  }

  std::string write_map(const ContainerMapRules& map) const {
    std::vector<std::string> parts;
    if (!map.roots().empty()) parts.push_back(fmt::format("    \"optional_roots\": {}", texts(map.roots())));
    std::string layers, skips;
    for (const ContainerMapRules::Layers& group : map.layer_groups())
      layers += fmt::format("{}      {{\"prefixes\": {}{}, {}}}", layers.empty() ? "" : ",\n", texts(group.prefixes),
                            group.count == "n_layers" ? "" : fmt::format(", \"count\": {}", quoted_json(group.count)),
                            is_one(group.choices) ? fmt::format("\"container\": {}", container(group.choices.front()))
                                                  : fmt::format("\"choices\": {}", choices(group.choices)));
    if (!layers.empty()) parts.push_back(fmt::format("    \"layers\": [\n{}\n    ]", layers));
    if (!map.rest().empty())
      parts.push_back(
          fmt::format("    \"rest\": {}", is_one(map.rest()) ? container(map.rest().front()) : choices(map.rest())));
    for (const ContainerMapRules::Skip& skip : map.skips())
      skips += fmt::format("{}      {{\"prefix\": {}, \"reason\": {}{}}}", skips.empty() ? "" : ",\n",
                           quoted_json(skip.pattern), quoted_json(skip.reason), when(skip.when));
    if (!skips.empty()) parts.push_back(fmt::format("    \"skip\": [\n{}\n    ]", skips));
    return fmt::format("{}", fmt::join(parts, ",\n"));
  }

  const InferencePolicy& policy_;
  Diagnostics faults_;
  ContextNames of_recipes_;
  formula::Names names_;
  std::map<std::string, Type> types_;
  std::vector<std::string> type_order_;
  std::map<const ContainerSchema*, std::string> container_names_;
};

}  // namespace

std::string export_schema(const InferencePolicy& policy) { return Exporter(policy).run(); }

}  // namespace ballast
