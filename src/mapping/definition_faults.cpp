#include "mapping/definition_faults.hpp"

#include <fmt/format.h>

#include <vector>

namespace ballast::mapper {

using detail::DefinitionView;
using detail::Fault;
using detail::kNone;
using detail::ParameterDesc;

namespace {

std::string parameter_names(const DefinitionView& view) {
  std::vector<std::string_view> names;
  for (const ParameterDesc& parameter : view.parameters) names.push_back(parameter.name);
  return fmt::format("one of: {}", fmt::join(names, ", "));
}

std::string dependency_names(const ParameterDesc& parameter) {
  std::vector<std::string_view> names;
  for (const auto& dependency : parameter.dependencies) names.push_back(dependency.name);
  return fmt::format("one of: {}", fmt::join(names, ", "));
}

std::string source(const DefinitionView& view, std::size_t rule, std::size_t pattern) {
  if (rule == kNone || view.rules[rule].patterns.empty()) return "(no source)";
  return std::string(view.rules[rule].patterns[pattern == kNone ? 0 : pattern]);
}

void describe_target(const Fault& fault, const DefinitionView& view, Diagnostic& d) {
  const detail::TargetDesc& target = view.rules[fault.rule].targets[fault.target];
  const std::string from = source(view, fault.rule, kNone);
  if (fault.code == Errc::unknown_parameter) {
    d.what = fmt::format("the rule for '{}' targets a parameter that the container does not have", from);
    d.expected = parameter_names(view);
    d.got = target.parameter;
  } else {
    d.what =
        fmt::format("the rule for '{}' targets a dependency that parameter '{}' does not have", from, target.parameter);
    d.parameter = target.parameter;
    d.expected = dependency_names(view.parameters[fault.parameter]);
    d.got = target.dependency;
  }
}

void describe_dependency(const Fault& fault, const DefinitionView& view, Diagnostic& d) {
  const ParameterDesc& parameter = view.parameters[fault.parameter];
  d.parameter = parameter.name;
  if (fault.code == Errc::duplicate_parameter) {
    d.what = fmt::format("parameter '{}' is declared twice", parameter.name);
    if (fault.dependency != kNone) {
      d.dependency = parameter.dependencies[fault.dependency].name;
      d.what = fmt::format("dependency '{}' of parameter '{}' is declared twice", d.dependency, d.parameter);
    }
    return;
  }
  d.dependency = parameter.dependencies[fault.dependency].name;
  if (fault.code == Errc::dependency_unmapped) {
    d.what = fmt::format("no rule fills '{}.{}'", d.parameter, d.dependency);
    d.expected = "exactly one rule, or a dependency that is declared optional";
  } else {
    d.what = fmt::format("two rules fill '{}.{}'", d.parameter, d.dependency);
    d.expected = "one rule (several names for one source are ordered alternatives of one rule)";
    d.got = fmt::format("the rules for '{}' and '{}'", source(view, fault.other_rule, kNone),
                        source(view, fault.rule, kNone));
  }
}

void describe_pattern(const Fault& fault, const DefinitionView& view, Diagnostic& d) {
  const std::string pattern = source(view, fault.rule, fault.pattern);
  const std::string other = source(view, fault.other_rule, fault.other_pattern);
  switch (fault.code) {
    case Errc::duplicate_pattern:
      d.what = fmt::format("the source '{}' has two rules", pattern);
      d.expected = "one rule, with all its targets";
      break;
    case Errc::ambiguous_patterns:
      d.what = fmt::format("some names match both '{}' and '{}'", other, pattern);
      d.expected = "patterns of which at most one matches a name";
      break;
    case Errc::wildcard_count:
      if (detail::is_list_rule(view, view.rules[fault.rule])) {
        d.what = fmt::format("the rule for '{}' fills a list and needs exactly one '*', which stands for the index",
                             pattern);
        d.expected = "one '*'";
      } else {
        d.what = fmt::format("the rule for '{}' fills a single dependency, so '*' may only lead it", pattern);
        d.expected = "no '*', or one as the first segment";
      }
      d.got = fmt::format("'{}' with {} '*'", pattern, detail::count_wildcards(pattern));
      break;
    case Errc::mixed_targets:
      d.what = fmt::format("the rule for '{}' mixes list and single targets", pattern);
      d.expected = "targets that are all lists or all single";
      break;
    case Errc::invalid_pattern:
      d.what = fmt::format("the source '{}' is malformed", pattern);
      d.expected = "segments between dots, none empty, '*' only as a whole segment";
      d.got = pattern;
      break;
    default:
      d.what = fmt::format("the rule for '{}' has no target", pattern);
      d.expected = "at least one source and one target";
      break;
  }
}

}  // namespace

Diagnostic describe(const Fault& fault, const DefinitionView& view, const std::string& container) {
  Diagnostic d;
  d.code = fault.code;
  d.operation = "define container";
  d.container = container;
  switch (fault.code) {
    case Errc::unknown_parameter:
    case Errc::unknown_dependency:
      describe_target(fault, view, d);
      break;
    case Errc::duplicate_parameter:
    case Errc::dependency_unmapped:
    case Errc::dependency_mapped_twice:
      describe_dependency(fault, view, d);
      break;
    default:
      describe_pattern(fault, view, d);
      break;
  }
  return d;
}

}  // namespace ballast::mapper
