#include "schema_file/container_map.hpp"

#include <fmt/format.h>

#include "formula/model_scope.hpp"
#include "formula/nearest_of.hpp"
#include "formula/pattern.hpp"

namespace ballast::schema_file {

namespace {

constexpr std::size_t kMostGroups = 16;
constexpr std::size_t kMostChoices = 64;
constexpr std::size_t kMostNames = 64;
constexpr std::size_t kMostSkips = 256;

class MapReader {
 public:
  MapReader(Reader& reader, const Containers& containers, const ContextRules& rules)
      : reader_(reader), containers_(containers), names_(formula::names_of_model(rules, true)), of_layer_(names_) {
    of_layer_.kinds.emplace(formula::kLayer, formula::Kind::number);
  }

  ContainerMapRules read(const Place& at) {
    ContainerMapRules map;
    if (reader_.object(at, {{"optional_roots"}, {"layers"}, {"rest"}, {"skip"}}) == nullptr) return map;
    if (at.json->find("optional_roots") != nullptr)
      for (std::string& root : reader_.texts(reader_.member(at, "optional_roots"), kMostNames))
        map.optional_root(std::move(root));
    if (at.json->find("layers") != nullptr) read_groups(reader_.member(at, "layers"), map);
    if (at.json->find("rest") != nullptr) map.non_transformer(read_rest(reader_.member(at, "rest")));
    if (at.json->find("skip") != nullptr) read_skips(reader_.member(at, "skip"), map);
    return map;
  }

 private:
  void read_groups(const Place& at, ContainerMapRules& map) {
    const Json::Array* groups = reader_.array(at, kMostGroups);
    if (groups == nullptr) return;
    for (std::size_t i = 0; i < groups->size(); ++i) {
      const Place place = reader_.element(at, i);
      const bool choices = place.json->find("choices") != nullptr;
      if (reader_.object(place, {{"prefixes", true}, {"count"}, {choices ? "choices" : "container", true}}) == nullptr)
        continue;
      ContainerMapRules::Layers group;
      group.count = "n_layers";
      if (place.json->find("prefixes") != nullptr)
        group.prefixes = reader_.texts(reader_.member(place, "prefixes"), kMostNames);
      if (place.json->find("count") != nullptr)
        group.count = formula(reader_.member(place, "count"), names_, formula::Kind::number);
      if (choices)
        group.choices = read_choices(reader_.member(place, "choices"), of_layer_);
      else if (place.json->find("container") != nullptr)
        group.choices = {{find(reader_.member(place, "container")), "true"}};
      map.layers(std::move(group));
    }
  }

  std::vector<ContainerMapRules::Choice> read_rest(const Place& at) {
    if (at.json->array() != nullptr) return read_choices(at, names_);
    return {{find(at), "true"}};
  }

  std::vector<ContainerMapRules::Choice> read_choices(const Place& at, const formula::Names& names) {
    std::vector<ContainerMapRules::Choice> choices;
    const Json::Array* elements = reader_.array(at, kMostChoices);
    for (std::size_t i = 0; elements != nullptr && i < elements->size(); ++i) {
      const Place place = reader_.element(at, i);
      if (reader_.object(place, {{"container", true}, {"when"}}) == nullptr) continue;
      ContainerMapRules::Choice choice;
      choice.when = when(place, names);
      if (place.json->find("container") != nullptr) choice.schema = find(reader_.member(place, "container"));
      choices.push_back(std::move(choice));
    }
    if (elements != nullptr && elements->empty())
      reader_.complain(at, "there is nothing to choose from", "a container", "");
    return choices;
  }

  // Null where it is at fault, or unknown.
  const ContainerSchema* find(const Place& at) {
    const auto name = reader_.text(at);
    if (!name) return nullptr;
    if (const auto found = containers_.find(*name); found != containers_.end()) return found->second.get();
    std::vector<std::string_view> names;
    for (const auto& [one, schema] : containers_) names.push_back(one);
    reader_.complain(at, fmt::format("there is no container '{}'", *name),
                     fmt::format("one of: {}", fmt::join(names, ", ")), *name, formula::nearest_of(*name, names));
    return nullptr;
  }

  void read_skips(const Place& at, ContainerMapRules& map) {
    const Json::Array* elements = reader_.array(at, kMostSkips);
    for (std::size_t i = 0; elements != nullptr && i < elements->size(); ++i) {
      const Place place = reader_.element(at, i);
      if (reader_.object(place, {{"prefix", true}, {"reason", true}, {"when"}}) == nullptr) continue;
      ContainerMapRules::Skip skip;
      skip.when = when(place, names_);
      if (place.json->find("reason") != nullptr)
        skip.reason = reader_.text(reader_.member(place, "reason")).value_or("");
      if (place.json->find("prefix") != nullptr) skip.pattern = pattern(reader_.member(place, "prefix"));
      map.skip(std::move(skip));
    }
  }

  std::string pattern(const Place& at) {
    std::string text = reader_.text(at).value_or("");
    std::vector<formula::Fault> wrong;
    for (const formula::PatternPart& part : formula::split_pattern(text, wrong)) {
      if (!part.is_formula) continue;
      std::vector<formula::Fault> of_part;
      (void)formula::compile(part.text, names_, formula::Kind::number, of_part);
      for (const formula::Fault& fault : of_part) reader_.complain(at, fault, part.position);
    }
    for (const formula::Fault& fault : wrong) reader_.complain(at, fault);
    return text;
  }

  std::string when(const Place& at, const formula::Names& names) {
    if (at.json->find("when") == nullptr) return "true";
    return formula(reader_.member(at, "when"), names, formula::Kind::boolean);
  }

  std::string formula(const Place& at, const formula::Names& names, formula::Kind kind) {
    const auto tree = reader_.formula(at, names, kind);
    return tree ? tree->text : std::string("true");
  }

  Reader& reader_;
  const Containers& containers_;
  formula::Names names_;
  formula::Names of_layer_;
};

}  // namespace

ContainerMapRules read_container_map(Reader& reader, const Place& at, const Containers& containers,
                                     const ContextRules& rules) {
  return MapReader(reader, containers, rules).read(at);
}

}  // namespace ballast::schema_file
