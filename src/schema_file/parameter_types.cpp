#include "schema_file/parameter_types.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "formula/evaluate.hpp"
#include "formula/model_scope.hpp"
#include "schema_file/recipe_formula.hpp"

namespace ballast::schema_file {

namespace {

std::function<std::uint64_t(const ModelContext&)> length_by(formula::Tree tree) {
  auto shared = std::make_shared<const formula::Tree>(std::move(tree));
  return [shared](const ModelContext& model) -> std::uint64_t {
    formula::ModelScope scope(model);
    try {
      return formula::as_number(formula::evaluate(*shared, scope), shared->root());
    } catch (const formula::Trouble& trouble) {
      Diagnostic d = formula::to_diagnostic(trouble.fault, shared->text);
      d.operation = "list length";
      throw Error(std::move(d));
    }
  };
}

class TypeReader {
 public:
  TypeReader(Reader& reader, const Place& section, const ContextRules& rules)
      : reader_(reader),
        section_(section),
        numbers_(formula::names_of_model(rules, false)),
        names_(formula::names_of_model(rules, true)) {}

  ParameterTypes read() {
    ParameterTypes result;
    const Json::Object* members = reader_.named_object(section_, kMostTypes, "a parameter");
    if (members == nullptr) return result;
    for (const Json::Member& member : *members)
      result.types.emplace(member.key, type(reader_.member(section_, member.key), member.key));
    return result;
  }

 private:
  ParameterSchema type(const Place& at, const std::string& name) {
    ParameterSchema schema;
    schema.type = name;
    const std::size_t before = reader_.faults().total();
    std::vector<FormRecipe> forms;
    const bool has_forms = at.json->find("forms") != nullptr;
    const Json::Object* members = has_forms ? reader_.object(at, {{"forms", true}})
                                            : reader_.object(at, {{"dependencies", true}, {"recipe", true}});
    if (members != nullptr && has_forms)
      several_forms(reader_.member(at, "forms"), schema, forms);
    else if (members != nullptr)
      form(at, 0, schema, forms);
    if (reader_.faults().total() != before) return schema;
    schema.name = name;  // in order
    schema.finalize = finalize_by(schema.dependencies, std::move(forms));
    return schema;
  }

  void several_forms(const Place& at, ParameterSchema& schema, std::vector<FormRecipe>& forms) {
    const Json::Array* all = reader_.array(at, kMostForms);
    if (all == nullptr) return;
    for (std::size_t i = 0; i < all->size(); ++i) {
      const Place one = reader_.element(at, i);
      if (reader_.object(one, {{"dependencies", true}, {"recipe", true}}) != nullptr)
        form(one, static_cast<std::uint32_t>(i + 1), schema, forms);
    }
    if (all->empty()) reader_.complain(at, "a parameter without a form", "at least one", "none");
  }

  void form(const Place& at, std::uint32_t number, ParameterSchema& schema, std::vector<FormRecipe>& forms) {
    formula::Names names = names_;
    names.makes_tensors = true;
    const Place dependencies = reader_.member(at, "dependencies");
    if (dependencies.json != nullptr) read_dependencies(dependencies, number, schema, names);
    const Place recipe = reader_.member(at, "recipe");
    if (recipe.json == nullptr) return;
    if (auto tree = reader_.formula(recipe, names, formula::Kind::tensor)) forms.push_back({number, std::move(*tree)});
  }

  void read_dependencies(const Place& at, std::uint32_t form, ParameterSchema& schema, formula::Names& names) {
    const Json::Object* members = reader_.named_object(at, kMostDependencies, "a dependency");
    if (members == nullptr) return;
    for (const Json::Member& member : *members) {
      const Place place = reader_.member(at, member.key);
      if (names_.kinds.contains(member.key) || member.key == "nothing" || member.key == "true" || member.key == "false")
        reader_.complain(place, fmt::format("dependency '{}' has the name of a number of the model", member.key),
                         "a name of its own", member.key);
      DependencySchema dependency = read_dependency(place, member.key);
      dependency.form = static_cast<std::uint8_t>(form);
      names.kinds.insert_or_assign(
          member.key, dependency.kind == DependencyKind::list ? formula::Kind::tensors : formula::Kind::tensor);
      if (dependency.kind == DependencyKind::optional) names.optionals.push_back(member.key);
      schema.dependencies.push_back(std::move(dependency));
    }
  }

  DependencySchema read_dependency(const Place& at, const std::string& name) {
    constexpr const char* kExpected = "\"single\", \"optional\" or {\"list\": length}";
    DependencySchema dependency;
    dependency.name = name;
    if (const std::string* kind = at.json->string()) {
      // One that is misspelt is taken for the kind of which everything may be asked.
      if (*kind != "single") dependency.kind = DependencyKind::optional;
      if (*kind != "single" && *kind != "optional")
        reader_.complain(at, "there is no such kind of dependency", kExpected, *kind);
      return dependency;
    }
    if (at.json->object() == nullptr) {
      reader_.complain_kind(at, kExpected);
      return dependency;
    }
    dependency.kind = DependencyKind::list;
    if (reader_.object(at, {{"list", true}}) == nullptr || at.json->find("list") == nullptr) return dependency;
    const Place length = reader_.member(at, "list");
    if (const auto text = reader_.formula_text(length)) {
      dependency.length_name = *text;
      read_length(length, *text, dependency);
    }
    return dependency;
  }

  void read_length(const Place& at, const std::string& text, DependencySchema& dependency) {
    if (is_name(text) && !numbers_.kinds.contains(text)) {
      reader_.complain(at,
                       fmt::format("the length of list '{}' names '{}', which the model context does not have",
                                   dependency.name, text),
                       "a number of ModelContext, or a key of its `extra`", text, "", Errc::unknown_list_length);
      return;
    }
    if (auto tree = reader_.formula(at, numbers_, formula::Kind::number))
      dependency.length = length_by(std::move(*tree));
  }

  Reader& reader_;
  const Place& section_;
  formula::Names numbers_;
  formula::Names names_;
};

}  // namespace

ParameterTypes read_parameter_types(Reader& reader, const Place& at, const ContextRules& rules) {
  return TypeReader(reader, at, rules).read();
}

}  // namespace ballast::schema_file
