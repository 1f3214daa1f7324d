#include <fmt/format.h>

#include <utility>

#include "ballast/error.hpp"
#include "ballast/policy_rules.hpp"
#include "formula/model_scope.hpp"
#include "formula/pattern.hpp"

namespace ballast {

using namespace formula;

namespace {

// As many as ModelContext::from_config lets a config have.
constexpr std::uint64_t kMostLayers = 4096;

std::vector<ContainerMapRules::Choice> choices_of(std::initializer_list<ContainerMapRules::Line> lines) {
  std::vector<ContainerMapRules::Choice> choices;
  for (const ContainerMapRules::Line& line : lines) choices.push_back({&line.schema, std::string(line.when.text())});
  return choices;
}

class MapMaker {
 public:
  explicit MapMaker(const ModelContext& model) : scope_(model) {
    names_ = names_of_model({}, true);
    for (const auto& [name, number] : model.extra) names_.kinds.emplace(name, Kind::any);
    for (const auto& [name, list] : model.lists) names_.kinds.emplace(name, Kind::list);
    names_.kinds.emplace(kLayer, Kind::number);  // has a value where a layer's container is chosen
  }

  ContainerMap make(const ContainerMapRules& rules) {
    ContainerMap map;
    for (const std::string& root : rules.roots()) map.optional_root(root);
    for (const ContainerMapRules::Layers& group : rules.layer_groups()) map.layers(group.prefixes, schemas(group));
    if (const ContainerSchema* rest = choose("the non-transformer container", rules.rest())) map.non_transformer(*rest);
    for (const ContainerMapRules::Skip& skip : rules.skips())
      if (condition(skip.when)) map.skip(filled(skip.pattern), skip.reason);
    faults_.throw_if_any();
    return map;
  }

 private:
  void complain(const formula::Fault& fault, std::string_view text) {
    Diagnostic d = to_diagnostic(fault, text);
    d.operation = "map containers";
    faults_.add(std::move(d));
  }

  const std::optional<Tree>& tree(const std::string& text, Kind kind) {
    const auto known = trees_.find(text);
    if (known != trees_.end()) return known->second;
    std::vector<formula::Fault> wrong;
    std::optional<Tree> compiled = compile(text, names_, kind, wrong);
    for (const formula::Fault& fault : wrong) complain(fault, text);
    return trees_.emplace(text, std::move(compiled)).first->second;
  }

  template <class Result, class Get>
  Result evaluate(const std::string& text, Kind kind, Result otherwise, Get get) {
    const std::optional<Tree>& formula = tree(text, kind);
    if (!formula) return otherwise;
    try {
      return get(formula::evaluate(*formula, scope_), formula->root());
    } catch (const Trouble& trouble) {
      complain(trouble.fault, text);
      return otherwise;
    }
  }
  bool condition(const std::string& text) {
    return text == "true" || evaluate(text, Kind::boolean, false, &as_condition);
  }
  std::uint64_t number(const std::string& text) { return evaluate(text, Kind::number, std::uint64_t{0}, &as_number); }

  const ContainerSchema* choose(const std::string& what, const std::vector<ContainerMapRules::Choice>& choices) {
    for (const ContainerMapRules::Choice& choice : choices)
      if (condition(choice.when)) return choice.schema;
    if (!choices.empty() && faults_.empty()) {
      Diagnostic d;
      d.code = Errc::context_invalid;
      d.operation = "map containers";
      d.what = fmt::format("no condition holds for {}", what);
      for (const ContainerMapRules::Choice& choice : choices)
        d.expected += fmt::format("{}'{}'", d.expected.empty() ? "one of " : ", ", choice.when);
      faults_.add(std::move(d));
    }
    return nullptr;
  }

  std::vector<const ContainerSchema*> schemas(const ContainerMapRules::Layers& group) {
    const std::uint64_t count = number(group.count);
    if (count > kMostLayers) {
      complain({0, "there are too many layers", fmt::format("at most {}", kMostLayers), std::to_string(count), "",
                Errc::limit_exceeded},
               group.count);
      return {};
    }
    std::vector<const ContainerSchema*> schemas;
    for (std::uint64_t layer = 0; layer < count; ++layer) {
      scope_.set_layer(layer);
      const ContainerSchema* schema = choose(fmt::format("layer {}", layer), group.choices);
      if (schema == nullptr) return {};
      schemas.push_back(schema);
    }
    return schemas;
  }

  std::string filled(const std::string& pattern) {
    std::vector<formula::Fault> wrong;
    std::string text;
    for (const PatternPart& part : split_pattern(pattern, wrong))
      text += part.is_formula ? std::to_string(number(part.text)) : part.text;
    for (const formula::Fault& fault : wrong) complain(fault, pattern);
    return text;
  }

  Names names_;
  ModelScope scope_;
  std::map<std::string, std::optional<Tree>> trees_;
  Diagnostics faults_;
};

}  // namespace

ContainerMapRules& ContainerMapRules::layers(std::vector<std::string> prefixes, const ContainerSchema& schema,
                                             FormulaText count) {
  return layers({std::move(prefixes), {{&schema, "true"}}, std::string(count.text())});
}
ContainerMapRules& ContainerMapRules::layers(std::vector<std::string> prefixes, std::initializer_list<Line> choices,
                                             FormulaText count) {
  return layers({std::move(prefixes), choices_of(choices), std::string(count.text())});
}
ContainerMapRules& ContainerMapRules::layers(Layers group) {
  layers_.push_back(std::move(group));
  return *this;
}
ContainerMapRules& ContainerMapRules::non_transformer(const ContainerSchema& schema) {
  return non_transformer(std::vector<Choice>{{&schema, "true"}});
}
ContainerMapRules& ContainerMapRules::non_transformer(std::initializer_list<Line> choices) {
  return non_transformer(choices_of(choices));
}
ContainerMapRules& ContainerMapRules::non_transformer(std::vector<Choice> choices) {
  rest_ = std::move(choices);
  return *this;
}
ContainerMapRules& ContainerMapRules::skip(std::string pattern, std::string reason, FormulaText when) {
  return skip(Skip{std::move(pattern), std::move(reason), std::string(when.text())});
}
ContainerMapRules& ContainerMapRules::skip(Skip skip) {
  skips_.push_back(std::move(skip));
  return *this;
}
ContainerMapRules& ContainerMapRules::optional_root(std::string root) {
  roots_.push_back(std::move(root));
  return *this;
}

ContainerMap ContainerMapRules::evaluate(const ModelContext& context) const { return MapMaker(context).make(*this); }

}  // namespace ballast
