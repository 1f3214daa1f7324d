#include "ballast/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ballast/error.hpp"
#include "mapping/definition_faults.hpp"

namespace ballast {

namespace {

// The same descriptions that a declared container has, over a schema's own strings.
class DefinitionOf {
 public:
  DefinitionOf(const std::vector<ParameterSchema>& parameters, const std::vector<MappingRule>& rules) {
    dependencies_.reserve(parameters.size());
    for (const ParameterSchema& parameter : parameters) {
      auto& list = dependencies_.emplace_back();
      for (const DependencySchema& dependency : parameter.dependencies)
        list.push_back({dependency.name, dependency.kind});
      parameters_.push_back({parameter.name, list});
    }
    sources_.reserve(rules.size());
    targets_.reserve(rules.size());
    for (const MappingRule& rule : rules) {
      auto& sources = sources_.emplace_back(rule.sources.begin(), rule.sources.end());
      auto& targets = targets_.emplace_back();
      for (const MappingTarget& target : rule.targets) targets.push_back({target.parameter, target.dependency});
      rules_.push_back({sources, targets, 0});
    }
  }
  [[nodiscard]] detail::DefinitionView view() const { return {parameters_, rules_, !rules_.empty()}; }

 private:
  std::vector<std::vector<detail::DependencyDesc>> dependencies_;
  std::vector<detail::ParameterDesc> parameters_;
  std::vector<std::vector<std::string_view>> sources_;
  std::vector<std::vector<detail::TargetDesc>> targets_;
  std::vector<detail::RuleDesc> rules_;
};

bool fills(const MappingRule& rule, const MappingTarget& target) {
  return std::any_of(rule.targets.begin(), rule.targets.end(), [&](const MappingTarget& mine) {
    return mine.parameter == target.parameter && mine.dependency == target.dependency;
  });
}

bool shares_source(const MappingRule& a, const MappingRule& b) {
  return std::find_first_of(a.sources.begin(), a.sources.end(), b.sources.begin(), b.sources.end()) != a.sources.end();
}

}  // namespace

std::optional<std::size_t> ParameterSchema::find(std::string_view dependency) const noexcept {
  for (std::size_t i = 0; i < dependencies.size(); ++i)
    if (dependencies[i].name == dependency) return i;
  return std::nullopt;
}

ContainerSchema ContainerSchema::make(std::string name, std::vector<ParameterSchema> parameters,
                                      const std::vector<std::pair<std::string, std::vector<std::string>>>& rules) {
  Diagnostics faults;
  std::vector<MappingRule> parsed;
  for (const auto& [source, targets] : rules) {
    MappingRule& rule = parsed.emplace_back();
    for (const std::string& target : targets) {
      const std::size_t dot = target.find('.');
      if (dot == std::string::npos) {
        Diagnostic d;
        d.code = Errc::malformed_target;
        d.operation = "define container";
        d.container = name;
        d.what = fmt::format("the target '{}' of '{}' has no dot", target, source);
        d.expected = "parameter.dependency";
        d.got = target;
        faults.add(std::move(d));
      } else {
        rule.targets.push_back({target.substr(0, dot), target.substr(dot + 1)});
      }
    }
    rule.sources.push_back(source);
  }
  if (!faults.empty()) {
    // The other rules still say what is wrong with them; what a malformed target would have filled counts as unmapped,
    // which would only be noise.
    const DefinitionOf definition(parameters, parsed);
    detail::check_definition(definition.view(), [&](const detail::Fault& fault) {
      if (fault.code != Errc::dependency_unmapped && fault.code != Errc::rule_without_target)
        faults.add(mapper::describe(fault, definition.view(), name));
    });
  }
  faults.throw_if_any();
  return ContainerSchema(std::move(name), std::move(parameters), std::move(parsed));
}

ContainerSchema::ContainerSchema(std::string name, std::vector<ParameterSchema> parameters,
                                 std::vector<MappingRule> rules, const ContainerSchema* base)
    : name_(std::move(name)), parameters_(std::move(parameters)), rules_(std::move(rules)) {
  if (base != nullptr) inherit(*base);
  const DefinitionOf definition(parameters_, rules_);
  Diagnostics faults;
  detail::check_definition(definition.view(), [&](const detail::Fault& fault) {
    Diagnostic d = mapper::describe(fault, definition.view(), name_);
    d.place = fault.rule != detail::kNone ? rules_[fault.rule].place : parameters_[fault.parameter].place;
    faults.add(std::move(d));
  });
  faults.throw_if_any();
  compile();
}

void ContainerSchema::inherit(const ContainerSchema& base) {
  // What is declared anew stands in the place of the base's.
  std::vector<ParameterSchema> all = base.parameters_;
  for (ParameterSchema& mine : parameters_) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == mine.name; });
    if (found != all.end())
      *found = std::move(mine);
    else
      all.push_back(std::move(mine));
  }
  parameters_ = std::move(all);
  const std::size_t own = rules_.size();
  for (MappingRule inherited : base.rules_) {
    // A parameter that is declared anew may lack dependencies that the base has rules for.
    std::erase_if(inherited.targets, [&](const MappingTarget& target) {
      return !parameters_[*find(target.parameter)].find(target.dependency);
    });
    bool replaced = false;
    for (std::size_t r = 0; r < own && !replaced; ++r) {
      replaced = shares_source(rules_[r], inherited);
      std::erase_if(inherited.targets, [&](const MappingTarget& target) { return fills(rules_[r], target); });
    }
    if (!replaced && !inherited.targets.empty()) rules_.push_back(std::move(inherited));
  }
}

void ContainerSchema::compile() {
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    bool list = false;
    auto& places = places_.emplace_back();
    for (const MappingTarget& target : rules_[r].targets) {
      const std::size_t p = *find(target.parameter);
      const std::size_t d = *parameters_[p].find(target.dependency);
      list = parameters_[p].dependencies[d].kind == DependencyKind::list;
      places.push_back({static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(d)});
    }
    for (std::size_t i = 0; i < rules_[r].sources.size(); ++i) {
      const std::string& source = rules_[r].sources[i];
      const std::size_t star = source.find('*');
      if (star == std::string::npos) {
        exact_.emplace(source, std::pair(static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(i)));
      } else {
        (list ? lists_ : paths_)
            .push_back({source.substr(0, star), source.substr(star + 1), static_cast<std::uint32_t>(r),
                        static_cast<std::uint32_t>(i)});
      }
    }
  }
}

std::optional<std::size_t> ContainerSchema::find(std::string_view parameter) const noexcept {
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    if (parameters_[i].name == parameter) return i;
  return std::nullopt;
}

std::vector<std::string> ContainerSchema::list_patterns() const {
  std::vector<std::string> patterns;
  for (const PatternRef& list : lists_) patterns.push_back(list.prefix + "*" + list.suffix);
  return patterns;
}

std::optional<MappingMatch> ContainerSchema::match_one(std::string_view source, bool* ambiguous) const {
  if (ambiguous != nullptr) *ambiguous = false;
  if (const auto found = exact_.find(source); found != exact_.end())
    return MappingMatch{found->second.first, found->second.second, std::nullopt};
  for (const PatternRef& list : lists_) {
    if (source.size() <= list.prefix.size() + list.suffix.size() || !source.starts_with(list.prefix) ||
        !source.ends_with(list.suffix))
      continue;
    const std::string_view index =
        source.substr(list.prefix.size(), source.size() - list.prefix.size() - list.suffix.size());
    if (index.find('.') == std::string_view::npos) return MappingMatch{list.rule, list.alternative, index};
  }
  std::optional<MappingMatch> found;
  for (const PatternRef& path : paths_) {
    if (source.size() <= path.suffix.size() || !source.ends_with(path.suffix)) continue;
    if (found && ambiguous != nullptr) *ambiguous = true;
    if (!found) found = MappingMatch{path.rule, path.alternative, std::nullopt};
  }
  return found;
}

std::vector<MappingMatch> ContainerSchema::match(std::string_view source) const {
  bool ambiguous = false;
  const auto one = match_one(source, &ambiguous);
  if (!one) return {};
  if (!ambiguous) return {*one};
  std::vector<MappingMatch> all;
  for (const PatternRef& path : paths_)
    if (source.size() > path.suffix.size() && source.ends_with(path.suffix))
      all.push_back({path.rule, path.alternative, std::nullopt});
  return all;
}

std::optional<std::size_t> ContainerSchema::rule_of(std::size_t parameter, std::size_t dependency) const noexcept {
  for (std::size_t r = 0; r < places_.size(); ++r)
    for (const Place& place : places_[r])
      if (place.parameter == parameter && place.dependency == dependency) return r;
  return std::nullopt;
}

std::uint64_t list_length(const DependencySchema& dependency, const ModelContext& context) {
  // Every element takes an entry in the binding; a config can ask for any number.
  constexpr std::uint64_t kMost = 65'536;
  Diagnostic d;
  d.operation = "list length";
  d.dependency = dependency.name;
  std::optional<std::uint64_t> length;
  if (dependency.length)
    length = dependency.length(context);
  else
    length = context.attribute(dependency.length_name);
  if (!length) {
    d.code = Errc::unknown_list_length;
    d.what = fmt::format("the length of list '{}' names '{}', which the model context does not have", dependency.name,
                         dependency.length_name);
    d.expected = "a number of ModelContext, or a key of its `extra`";
    d.got = dependency.length_name;
    throw Error(std::move(d));
  }
  if (*length > kMost) {
    d.code = Errc::limit_exceeded;
    d.what = fmt::format("list '{}' is too long", dependency.name);
    d.expected = fmt::format("at most {} elements", kMost);
    d.got = fmt::format("{} ({})", *length, dependency.length_name);
    throw Error(std::move(d));
  }
  return *length;
}

}  // namespace ballast
