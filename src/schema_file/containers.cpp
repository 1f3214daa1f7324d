#include "schema_file/containers.hpp"

#include <fmt/format.h>

#include <optional>
#include <set>

#include "formula/nearest_of.hpp"

namespace ballast::schema_file {

namespace {

// With these the definition rules take at most seconds, however a file is written.
constexpr std::size_t kMostContainers = 64;
constexpr std::size_t kMostParameters = 256;
constexpr std::size_t kMostRules = 1024;
constexpr std::size_t kMostSources = 2048;  // of all rules of a container, those of its base included
constexpr std::size_t kMostTargets = 2048;
constexpr std::size_t kMostTargetsOfRule = 64;
constexpr std::size_t kMostSourcesOfRule = 16;

class ContainerReader {
 public:
  ContainerReader(Reader& reader, const Place& section, const ParameterTypes& types)
      : reader_(reader), section_(section), types_(types) {}

  Containers read() {
    const Json::Object* members = reader_.named_object(section_, kMostContainers, "a container");
    if (members == nullptr) return {};
    for (const Json::Member& member : *members) (void)container(member.key);
    return std::move(containers_);
  }

 private:
  // Reads it where that has not been done; its base first.
  const ContainerSchema* container(const std::string& name) {
    if (const auto known = containers_.find(name); known != containers_.end()) return known->second.get();
    running_.insert(name);
    std::unique_ptr<const ContainerSchema> schema = make(reader_.member(section_, name), name);
    running_.erase(name);
    return containers_.emplace(name, std::move(schema)).first->second.get();
  }

  std::unique_ptr<const ContainerSchema> make(const Place& at, const std::string& name) {
    const Json::Object* members = reader_.object(at, {{"base"}, {"parameters"}, {"rules"}});
    if (members == nullptr) return nullptr;
    bool good = true;
    const ContainerSchema* base = nullptr;
    if (at.json->find("base") != nullptr) good = find_base(reader_.member(at, "base"), base);
    std::vector<ParameterSchema> parameters;
    if (at.json->find("parameters") != nullptr) good &= read_parameters(reader_.member(at, "parameters"), parameters);
    std::vector<MappingRule> rules;
    bool malformed = false;
    if (at.json->find("rules") != nullptr) good &= read_rules(reader_.member(at, "rules"), name, rules, malformed);
    if (!good || !within_bounds(at, parameters, rules, base)) return nullptr;
    try {
      auto schema = std::make_unique<const ContainerSchema>(name, std::move(parameters), std::move(rules), base);
      if (malformed) return nullptr;
      return schema;
    } catch (const Error& error) {
      append(error, malformed);
      return nullptr;
    }
  }

  // What a malformed target would have filled counts as unmapped, which would only be noise.
  void append(const Error& error, bool malformed) {
    if (!malformed) return reader_.append(error);
    Diagnostics rest;
    for (const Diagnostic& d : error.diagnostics())
      if (d.code != Errc::dependency_unmapped && d.code != Errc::rule_without_target) rest.add(d);
    if (!rest.empty()) reader_.append(Error(rest));
  }

  bool find_base(const Place& at, const ContainerSchema*& base) {
    const auto name = reader_.text(at);
    if (!name) return false;
    if (running_.contains(*name)) {
      reader_.complain(at, "a container is its own base", "a base that is declared without this one", *name);
      return false;
    }
    if (section_.json->find(*name) == nullptr) {
      complain_unknown(at, "container", *name, *section_.json->object());
      return false;
    }
    base = container(*name);
    return base != nullptr;  // its own faults have been told
  }

  void complain_unknown(const Place& at, std::string_view noun, const std::string& name, const Json::Object& known) {
    std::vector<std::string_view> names;
    for (const Json::Member& member : known) names.push_back(member.key);
    reader_.complain(at, fmt::format("there is no {} '{}'", noun, name),
                     fmt::format("one of: {}", fmt::join(names, ", ")), name, formula::nearest_of(name, names));
  }

  bool read_parameters(const Place& at, std::vector<ParameterSchema>& parameters) {
    const Json::Object* members = reader_.named_object(at, kMostParameters, "a parameter");
    if (members == nullptr) return false;
    bool good = true;
    for (const Json::Member& member : *members) {
      const Place place = reader_.member(at, member.key);
      const auto type = reader_.text(place);
      const auto found = type ? types_.types.find(*type) : types_.types.end();
      if (type && found == types_.types.end()) {
        std::vector<std::string_view> names;
        for (const auto& [name, schema] : types_.types) names.push_back(name);
        reader_.complain(place, fmt::format("there is no parameter type '{}'", *type),
                         fmt::format("one of \"parameters\": {}", fmt::join(names, ", ")), *type,
                         formula::nearest_of(*type, names));
      }
      if (found == types_.types.end()) {
        good = false;
        continue;
      }
      ParameterSchema parameter = found->second;
      parameter.name = member.key;
      parameter.place = reader_.place(place);
      parameters.push_back(std::move(parameter));
    }
    return good;
  }

  bool read_rules(const Place& at, const std::string& container, std::vector<MappingRule>& rules, bool& malformed) {
    const Json::Array* elements = reader_.array(at, kMostRules);
    if (elements == nullptr) return false;
    bool good = true;
    for (std::size_t i = 0; i < elements->size(); ++i) {
      const Place place = reader_.element(at, i);
      const std::size_t before = reader_.faults().total();
      MappingRule rule;
      rule.place = reader_.place(place);
      if (reader_.object(place, {{"from", true}, {"to", true}, {"tied_to"}}) != nullptr) {
        if (place.json->find("from") != nullptr)
          rule.sources = reader_.texts(reader_.member(place, "from"), kMostSourcesOfRule);
        if (place.json->find("tied_to") != nullptr)
          rule.tied_to = reader_.texts(reader_.member(place, "tied_to"), detail::kMostTies);
        good &= reader_.faults().total() == before;
        if (place.json->find("to") != nullptr)
          good &= read_targets(reader_.member(place, "to"), container, rule, malformed);
      } else {
        good = false;
      }
      rules.push_back(std::move(rule));
    }
    return good;
  }

  bool read_targets(const Place& at, const std::string& container, MappingRule& rule, bool& malformed) {
    const std::size_t before = reader_.faults().total();
    const std::vector<std::string> targets = reader_.texts(at, kMostTargetsOfRule);
    const bool good = reader_.faults().total() == before;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const std::size_t dot = targets[i].find('.');
      if (dot != std::string::npos) {
        rule.targets.push_back({targets[i].substr(0, dot), targets[i].substr(dot + 1)});
        continue;
      }
      malformed = true;
      complain_malformed(good && at.json->array() != nullptr ? reader_.element(at, i) : at, container, rule,
                         targets[i]);
    }
    return good;
  }

  // As ContainerSchema::make says it.
  void complain_malformed(const Place& at, const std::string& container, const MappingRule& rule,
                          const std::string& target) {
    Diagnostic d;
    d.code = Errc::malformed_target;
    d.operation = "define container";
    d.container = container;
    d.file = reader_.file();
    d.place = reader_.place(at);
    d.what =
        fmt::format("the target '{}' of '{}' has no dot", target, rule.sources.empty() ? "" : rule.sources.front());
    d.expected = "parameter.dependency";
    d.got = target;
    reader_.faults().add(std::move(d));
  }

  bool within_bounds(const Place& at, const std::vector<ParameterSchema>& parameters,
                     const std::vector<MappingRule>& rules, const ContainerSchema* base) {
    std::size_t n_parameters = parameters.size(), sources = 0, targets = 0;
    const auto count = [&](const std::vector<MappingRule>& some) {
      for (const MappingRule& rule : some) {
        sources += rule.sources.size();
        targets += rule.targets.size();
      }
    };
    count(rules);
    if (base != nullptr) {
      n_parameters += base->n_params();
      count(base->rules());
    }
    if (n_parameters <= kMostParameters && sources <= kMostSources && targets <= kMostTargets) return true;
    reader_.complain(at, "a container is too large",
                     fmt::format("at most {} parameters, {} sources and {} targets, those of its base included",
                                 kMostParameters, kMostSources, kMostTargets),
                     fmt::format("{}, {} and {}", n_parameters, sources, targets), "", Errc::limit_exceeded);
    return false;
  }

  Reader& reader_;
  const Place& section_;
  const ParameterTypes& types_;
  Containers containers_;
  std::set<std::string, std::less<>> running_;
};

}  // namespace

Containers read_containers(Reader& reader, const Place& at, const ParameterTypes& types) {
  return ContainerReader(reader, at, types).read();
}

}  // namespace ballast::schema_file
