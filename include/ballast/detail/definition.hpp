// The definition rules D1-D8, once: the same function judges declared containers while they compile and schemas that
// are made at run time. It works on views, so that both can be laid before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "ballast/error.hpp"

namespace ballast::detail {

enum class DependencyKind : std::uint8_t { single, optional, list };

struct DependencyDesc {
  std::string_view name;
  DependencyKind kind = DependencyKind::single;
};

struct ParameterDesc {
  std::string_view name;
  std::span<const DependencyDesc> dependencies;
};

struct TargetDesc {
  std::string_view parameter;
  std::string_view dependency;
};

struct RuleDesc {
  std::span<const std::string_view> patterns;  // ordered alternatives
  std::span<const TargetDesc> targets;
  std::uint64_t overridden = 0;  // bit i: target i is an inherited one that a rule of the child replaces
};

inline constexpr std::size_t kNone = static_cast<std::size_t>(-1);

struct Fault {
  Errc code = Errc::invalid_argument;
  std::size_t rule = kNone, other_rule = kNone;
  std::size_t pattern = kNone, other_pattern = kNone;
  std::size_t target = kNone;
  std::size_t parameter = kNone, dependency = kNone;
};

// ---- patterns: dots separate segments; a segment is literal or '*'

constexpr std::string_view first_segment(std::string_view text) noexcept { return text.substr(0, text.find('.')); }
constexpr std::string_view after_segment(std::string_view text) noexcept {
  const std::size_t dot = text.find('.');
  return dot == std::string_view::npos ? std::string_view() : text.substr(dot + 1);
}
constexpr bool has_more(std::string_view text) noexcept { return text.find('.') != std::string_view::npos; }

constexpr std::size_t count_wildcards(std::string_view pattern) noexcept {
  std::size_t count = 0;
  for (const char c : pattern) count += c == '*' ? 1 : 0;
  return count;
}

// No empty segment, and '*' only as a whole segment.
constexpr bool well_formed(std::string_view pattern) noexcept {
  for (;;) {
    const std::string_view segment = first_segment(pattern);
    if (segment.empty() || (segment != "*" && count_wildcards(segment) != 0)) return false;
    if (!has_more(pattern)) return true;
    pattern = after_segment(pattern);
  }
}

constexpr bool leads_with_wildcard(std::string_view pattern) noexcept { return pattern.starts_with("*."); }

// Whether some name matches both of two list patterns ('*' is one segment).
constexpr bool segments_overlap(std::string_view a, std::string_view b) noexcept {
  for (;;) {
    const std::string_view x = first_segment(a), y = first_segment(b);
    if (x != y && x != "*" && y != "*") return false;
    if (has_more(a) != has_more(b)) return false;
    if (!has_more(a)) return true;
    a = after_segment(a);
    b = after_segment(b);
  }
}

// Whether some name matches both of two leading-path patterns ("*.rest": one or more segments, then rest).
constexpr bool paths_overlap(std::string_view a, std::string_view b) noexcept {
  const std::string_view x = a.substr(1), y = b.substr(1);  // from the dot on, so that segments are whole
  return x.ends_with(y) || y.ends_with(x);
}

// ---- the rules

struct DefinitionView {
  std::span<const ParameterDesc> parameters;
  std::span<const RuleDesc> rules;
  bool has_mapping = true;  // D8
};

constexpr std::size_t find_parameter(const DefinitionView& view, std::string_view name) noexcept {
  for (std::size_t i = 0; i < view.parameters.size(); ++i)
    if (view.parameters[i].name == name) return i;
  return kNone;
}

constexpr std::size_t find_dependency(const ParameterDesc& parameter, std::string_view name) noexcept {
  for (std::size_t i = 0; i < parameter.dependencies.size(); ++i)
    if (parameter.dependencies[i].name == name) return i;
  return kNone;
}

constexpr bool is_overridden(const RuleDesc& rule, std::size_t target) noexcept {
  return target < 64 && ((rule.overridden >> target) & 1U) != 0;
}
constexpr bool is_dead(const RuleDesc& rule) noexcept {
  if (rule.targets.empty()) return false;
  for (std::size_t t = 0; t < rule.targets.size(); ++t)
    if (!is_overridden(rule, t)) return false;
  return true;
}

// D1, D3, D4 and the form of the patterns, rule by rule.
template <class Report>
constexpr void check_rule(const DefinitionView& view, std::size_t r, Report&& report) {
  const RuleDesc& rule = view.rules[r];
  std::size_t lists = 0, singles = 0;
  for (std::size_t t = 0; t < rule.targets.size(); ++t) {
    if (is_overridden(rule, t)) continue;
    const std::size_t p = find_parameter(view, rule.targets[t].parameter);
    if (p == kNone) {
      report(Fault{.code = Errc::unknown_parameter, .rule = r, .target = t});
      continue;
    }
    const std::size_t d = find_dependency(view.parameters[p], rule.targets[t].dependency);
    if (d == kNone) {
      report(Fault{.code = Errc::unknown_dependency, .rule = r, .target = t, .parameter = p});
      continue;
    }
    (view.parameters[p].dependencies[d].kind == DependencyKind::list ? lists : singles) += 1;
  }
  if (rule.targets.empty() || rule.patterns.empty()) report(Fault{.code = Errc::rule_without_target, .rule = r});
  if (lists != 0 && singles != 0) report(Fault{.code = Errc::mixed_targets, .rule = r});
  for (std::size_t i = 0; i < rule.patterns.size(); ++i) {
    const std::string_view pattern = rule.patterns[i];
    if (!well_formed(pattern)) {
      report(Fault{.code = Errc::invalid_pattern, .rule = r, .pattern = i});
      continue;
    }
    if ((lists != 0) == (singles != 0)) continue;  // no valid target to judge by, or mixed ones
    // For a single target '*' stands for a leading path and nothing else.
    const std::size_t wildcards = lists != 0 || leads_with_wildcard(pattern) ? 1 : 0;
    if (count_wildcards(pattern) != wildcards) report(Fault{.code = Errc::wildcard_count, .rule = r, .pattern = i});
  }
}

constexpr bool is_list_rule(const DefinitionView& view, const RuleDesc& rule) noexcept {
  for (const TargetDesc& target : rule.targets) {
    const std::size_t p = find_parameter(view, target.parameter);
    if (p == kNone) continue;
    const std::size_t d = find_dependency(view.parameters[p], target.dependency);
    if (d != kNone) return view.parameters[p].dependencies[d].kind == DependencyKind::list;
  }
  return false;
}

// D5, and R28 where it can be known from the patterns alone.
template <class Report>
constexpr void check_patterns(const DefinitionView& view, std::size_t r, Report&& report) {
  const RuleDesc& rule = view.rules[r];
  const bool list = is_list_rule(view, rule);
  for (std::size_t s = 0; s <= r; ++s) {
    if (is_dead(view.rules[s])) continue;
    for (std::size_t i = 0; i < rule.patterns.size(); ++i) {
      const std::string_view a = rule.patterns[i];
      for (std::size_t j = 0; j < (s == r ? i : view.rules[s].patterns.size()); ++j) {
        const std::string_view b = view.rules[s].patterns[j];
        Fault fault{.code = Errc::duplicate_pattern, .rule = r, .other_rule = s, .pattern = i, .other_pattern = j};
        if (a == b) {
          report(fault);
          continue;
        }
        if (count_wildcards(a) == 0 || count_wildcards(b) == 0 || !well_formed(a) || !well_formed(b)) continue;
        const bool other_list = is_list_rule(view, view.rules[s]);
        fault.code = Errc::ambiguous_patterns;
        if (list && other_list && segments_overlap(a, b)) report(fault);
        if (!list && !other_list && leads_with_wildcard(a) && leads_with_wildcard(b) && paths_overlap(a, b))
          report(fault);
      }
    }
  }
}

// D2: every dependency is filled by exactly one rule, or is optional.
template <class Report>
constexpr void check_filled_once(const DefinitionView& view, std::size_t p, std::size_t d, Report&& report) {
  const ParameterDesc& parameter = view.parameters[p];
  std::size_t first = kNone;
  for (std::size_t r = 0; r < view.rules.size(); ++r)
    for (std::size_t t = 0; t < view.rules[r].targets.size(); ++t) {
      const TargetDesc& target = view.rules[r].targets[t];
      if (is_overridden(view.rules[r], t) || target.parameter != parameter.name ||
          target.dependency != parameter.dependencies[d].name)
        continue;
      if (first != kNone)
        report(Fault{.code = Errc::dependency_mapped_twice,
                     .rule = r,
                     .other_rule = first,
                     .target = t,
                     .parameter = p,
                     .dependency = d});
      else
        first = r;
    }
  if (first == kNone && parameter.dependencies[d].kind != DependencyKind::optional)
    report(Fault{.code = Errc::dependency_unmapped, .parameter = p, .dependency = d});
}

template <class Report>
constexpr void check_definition(const DefinitionView& view, Report&& report) {
  for (std::size_t p = 0; p < view.parameters.size(); ++p) {
    const ParameterDesc& parameter = view.parameters[p];
    if (find_parameter(view, parameter.name) != p) report(Fault{.code = Errc::duplicate_parameter, .parameter = p});
    for (std::size_t d = 0; d < parameter.dependencies.size(); ++d)
      if (find_dependency(parameter, parameter.dependencies[d].name) != d)
        report(Fault{.code = Errc::duplicate_parameter, .parameter = p, .dependency = d});
  }
  if (!view.has_mapping) return;
  for (std::size_t r = 0; r < view.rules.size(); ++r) {
    if (is_dead(view.rules[r])) continue;
    check_rule(view, r, report);
    check_patterns(view, r, report);
  }
  for (std::size_t p = 0; p < view.parameters.size(); ++p)
    for (std::size_t d = 0; d < view.parameters[p].dependencies.size(); ++d) check_filled_once(view, p, d, report);
}

}  // namespace ballast::detail
