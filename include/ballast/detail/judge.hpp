// The judgement of a declared container: each fault that the definition rules find becomes a compile error.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "ballast/detail/declared.hpp"
#include "ballast/detail/definition.hpp"
#include "ballast/detail/faults.hpp"

namespace ballast::detail {

struct FaultList {
  static constexpr std::size_t kMost = 64;
  std::array<Fault, kMost> kept{};
  std::size_t count = 0;
  constexpr void operator()(const Fault& fault) {
    if (count < kMost) kept[count++] = fault;
  }
};

template <class T>
inline constexpr FaultList faults_of = [] {
  FaultList list;
  check_definition(definition<T>(), list);
  return list;
}();

template <class T>
constexpr faults::At place(std::size_t parameter, std::size_t dependency) {
  if (parameter == kNone) return {};
  const ParameterNote& note = parameter_probe<T>.notes[visible_slots<T>[parameter]];
  return {note.address, dependency == kNone ? nullptr : note.type->notes[dependency].address};
}

// Where the first living target of a rule is.
template <class T>
constexpr faults::At rule_place(std::size_t r) {
  constexpr DefinitionView view = definition<T>();
  for (std::size_t t = 0; t < view.rules[r].targets.size(); ++t) {
    if (is_overridden(view.rules[r], t)) continue;
    const std::size_t p = find_parameter(view, view.rules[r].targets[t].parameter);
    if (p == kNone) continue;
    return place<T>(p, find_dependency(view.parameters[p], view.rules[r].targets[t].dependency));
  }
  return {};
}

template <class T, std::size_t R, std::size_t I, std::size_t... C>
constexpr auto spell_source(std::index_sequence<C...>) {
  return faults::SourceOf<definition<T>().rules[R].patterns[I][C]...>();
}
// The source name number I of rule R, as a type.
template <class T, std::size_t R, std::size_t I = 0>
using SourceText =
    decltype(spell_source<T, R, I>(std::make_index_sequence<definition<T>().rules[R].patterns[I].size()>()));

template <class T, std::size_t... I>
constexpr std::size_t complain_of_unmapped(std::index_sequence<I...>) {
  constexpr auto unmapped = [] {
    std::array<faults::At, sizeof...(I)> places{};
    std::size_t n = 0;
    for (std::size_t i = 0; i < faults_of<T>.count; ++i)
      if (const Fault& f = faults_of<T>.kept[i]; f.code == Errc::dependency_unmapped)
        places[n++] = place<T>(f.parameter, f.dependency);
    return places;
  }();
  return sizeof(faults::mapping_leaves_unmapped<unmapped[I]...>);
}

template <class T>
constexpr std::size_t count_unmapped() {
  std::size_t n = 0;
  for (std::size_t i = 0; i < faults_of<T>.count; ++i)
    n += faults_of<T>.kept[i].code == Errc::dependency_unmapped ? 1 : 0;
  return n;
}

template <class T, std::size_t I>
constexpr std::size_t complain() {
  constexpr Fault f = faults_of<T>.kept[I];
  if constexpr (f.code == Errc::dependency_mapped_twice)
    return sizeof(faults::mapping_fills_twice<place<T>(f.parameter, f.dependency)>);
  else if constexpr (f.code == Errc::duplicate_pattern)
    return sizeof(faults::mapping_repeats_source<rule_place<T>(f.rule), SourceText<T, f.rule, f.pattern>>);
  else if constexpr (f.code == Errc::ambiguous_patterns)
    return sizeof(faults::mapping_sources_overlap<rule_place<T>(f.other_rule), rule_place<T>(f.rule),
                                                  SourceText<T, f.other_rule, f.other_pattern>,
                                                  SourceText<T, f.rule, f.pattern>>);
  else if constexpr (f.code == Errc::wildcard_count)
    return sizeof(faults::mapping_wildcard_is_wrong<rule_place<T>(f.rule), SourceText<T, f.rule, f.pattern>>);
  else if constexpr (f.code == Errc::mixed_targets)
    return sizeof(faults::mapping_mixes_list_and_single<rule_place<T>(f.rule), SourceText<T, f.rule>>);
  else if constexpr (f.code == Errc::rule_without_target)
    return sizeof(faults::mapping_rule_has_no_target<SourceText<T, f.rule>>);
  else if constexpr (f.code == Errc::invalid_pattern)
    return sizeof(faults::mapping_source_is_malformed<rule_place<T>(f.rule), SourceText<T, f.rule, f.pattern>>);
  else if constexpr (f.code == Errc::duplicate_parameter)
    return sizeof(faults::parameter_declares_dependency_twice<place<T>(f.parameter, f.dependency)>);
  else if constexpr ((f.code == Errc::unknown_parameter || f.code == Errc::unknown_dependency) &&
                     !definition<T>().rules[f.rule].targets[f.target].parameter.empty())
    return sizeof(faults::mapping_targets_what_is_hidden<SourceText<T, f.rule>>);
  else
    return 1;  // said already: a target of another parameter or container, what is unmapped
}

// Complains of all faults in one compilation.
template <class T>
constexpr bool judge() {
  if constexpr (count_unmapped<T>() != 0)
    (void)complain_of_unmapped<T>(std::make_index_sequence<count_unmapped<T>()>());
  return []<std::size_t... I>(std::index_sequence<I...>) { return (std::size_t{1} + ... + complain<T, I>()) != 0; }
  (std::make_index_sequence<faults_of<T>.count>());
}

}  // namespace ballast::detail
