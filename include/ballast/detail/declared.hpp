// What a declared container says, as the descriptions that the definition rules judge: its parameters, with those of
// its bases, and its rules.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "ballast/detail/definition.hpp"
#include "ballast/detail/faults.hpp"
#include "ballast/parameter.hpp"

namespace ballast::detail {

template <auto ParameterMember, auto DependencyMember>
struct Target {};

inline constexpr std::size_t kMostTies = 4;
using Ties = std::array<std::string_view, kMostTies>;

template <std::size_t NSources, class... Targets>
struct DeclaredRule {
  std::array<std::string_view, NSources> sources;
  Ties ties;

  // Where none of the sources is there and the model ties its embeddings, the first tensor there is of these full names
  // fills the targets (B8).
  template <class... Names>
  [[nodiscard]] constexpr DeclaredRule tied_to(Names... full_names) const {
    static_assert(sizeof...(Names) <= kMostTies);
    DeclaredRule result = *this;
    result.ties = Ties{std::string_view(full_names)...};
    return result;
  }
};

template <class Base>
struct Inherits {};

template <class T, class... Rules>
struct DeclaredMapping {
  std::tuple<Rules...> rules;
};

// ---- the parameters of a container

template <class T>
constexpr std::size_t parameter_count() {
  if constexpr (is_made_of_slots<T, ParameterSlot, ParameterInit>())
    return slot_count<T, ParameterSlot>;
  else
    return 0 * sizeof(faults::container_has_members_that_are_not_parameters<T>);
}

template <class T>
inline constexpr Probe<T, ParameterInit, ParameterNote, parameter_count<T>()> parameter_probe{
    std::make_index_sequence<parameter_count<T>()>()};

struct ParameterSpelling {
  const ParameterSlot* slot;
};

template <class T, std::size_t I>
inline constexpr std::string_view parameter_name =
    last_named_member(spelled<ParameterSpelling{parameter_probe<T>.notes[I].address}>());

template <class T>
inline constexpr auto all_parameters = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array<ParameterDesc, sizeof...(I)>{
      ParameterDesc{parameter_name<T, I>, parameter_probe<T>.notes[I].type->dependencies}...};
}
(std::make_index_sequence<parameter_count<T>()>());

// D6: a parameter of a base that the child declares again is hidden, as C++ hides it.
template <class T>
constexpr bool is_hidden(std::size_t i) {
  for (std::size_t j = i + 1; j < all_parameters<T>.size(); ++j)
    if (all_parameters<T>[j].name == all_parameters<T>[i].name) return true;
  return false;
}

template <class T>
constexpr std::size_t count_visible() {
  std::size_t count = 0;
  for (std::size_t i = 0; i < all_parameters<T>.size(); ++i) count += is_hidden<T>(i) ? 0 : 1;
  return count;
}

// Slot index of each visible parameter. One that hides a base's stands in its place.
template <class T>
inline constexpr auto visible_slots = [] {
  constexpr const auto& all = all_parameters<T>;
  std::array<std::size_t, count_visible<T>()> slots{};
  std::size_t n = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::size_t first = i, last = i;
    for (std::size_t j = 0; j < all.size(); ++j)
      if (all[j].name == all[i].name) {
        first = std::min(first, j);
        last = std::max(last, j);
      }
    if (first == i) slots[n++] = last;
  }
  return slots;
}();

template <class T>
inline constexpr auto visible_parameters = [] {
  std::array<ParameterDesc, visible_slots<T>.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = all_parameters<T>[visible_slots<T>[i]];
  return all;
}();

// ---- targets

template <auto ParameterMember, auto DependencyMember, class P, std::size_t... I>
constexpr std::size_t complain_of_dependency(std::index_sequence<I...>) {
  return sizeof(faults::mapping_targets_dependency_of_another_parameter<
                ParameterMember, DependencyMember, faults::At{nullptr, dependency_probe<P>.notes[I].address}...>);
}

template <auto ParameterMember, auto DependencyMember>
constexpr TargetDesc describe(Target<ParameterMember, DependencyMember>) {
  using Owner = typename MemberPointer<decltype(ParameterMember)>::owner;
  using P = typename MemberPointer<decltype(ParameterMember)>::member::type;
  using DependencyOwner = typename MemberPointer<decltype(DependencyMember)>::owner;
  if constexpr (!std::is_base_of_v<DependencyOwner, P>) {
    (void)complain_of_dependency<ParameterMember, DependencyMember, P>(
        std::make_index_sequence<dependency_count<P>()>());
    return {};
  } else {
    constexpr std::size_t p =
        index_of_slot(parameter_probe<Owner>.notes,
                      static_cast<const ParameterSlot*>(&(parameter_probe<Owner>.its_slots_.*ParameterMember)));
    constexpr std::size_t d =
        index_of_slot(dependency_probe<P>.notes,
                      static_cast<const DependencySlot*>(&(dependency_probe<P>.its_slots_.*DependencyMember)));
    return {parameter_name<Owner, p>, dependency_descs<P>[d].name};
  }
}

template <class T, auto ParameterMember, auto DependencyMember>
constexpr bool check_owner(Target<ParameterMember, DependencyMember>) {
  using Owner = typename MemberPointer<decltype(ParameterMember)>::owner;
  if constexpr (!std::is_base_of_v<Owner, T>)
    return sizeof(faults::mapping_targets_parameter_of_another_container<ParameterMember, DependencyMember>) != 0;
  else
    return true;
}

template <class... Targets>
inline constexpr std::array<TargetDesc, sizeof...(Targets)> target_descs{describe(Targets())...};

// ---- rules, with those of bases

template <class T>
concept HasMapping = requires {
  T::param_mapping;
};

template <class T>
struct RuleSet;

struct RuleEntry {
  RuleDesc rule;
  Ties ties;
};

template <class T, std::size_t N, class... Targets>
constexpr std::array<RuleEntry, 1> entries_of(const DeclaredRule<N, Targets...>& rule) {
  (void)(check_owner<T>(Targets()) && ...);
  return {RuleEntry{RuleDesc{rule.sources, target_descs<Targets...>, 0}, rule.ties}};
}
template <class T, class Base>
constexpr auto entries_of(const Inherits<Base>&) {
  static_assert(std::is_base_of_v<Base, T>, "inherits<Base>: the container does not derive from Base");
  return RuleSet<Base>::entries;
}

template <std::size_t N>
constexpr void override_inherited(std::array<RuleEntry, N>& entries, const std::array<bool, N>& own) {
  for (std::size_t i = 0; i < N; ++i) {
    if (own[i]) continue;
    RuleDesc& inherited = entries[i].rule;
    for (std::size_t j = 0; j < N; ++j) {
      if (!own[j]) continue;
      for (const std::string_view a : inherited.patterns)
        for (const std::string_view b : entries[j].rule.patterns)
          if (a == b) inherited.overridden = ~std::uint64_t{0};
      for (std::size_t t = 0; t < inherited.targets.size(); ++t)
        for (const TargetDesc& mine : entries[j].rule.targets)
          if (mine.parameter == inherited.targets[t].parameter && mine.dependency == inherited.targets[t].dependency)
            inherited.overridden |= std::uint64_t{1} << t;
    }
  }
}

// A parameter that the child declares anew may lack dependencies that its base has rules for.
template <class T>
constexpr void drop_inherited_targets(RuleDesc& inherited) {
  const DefinitionView view{visible_parameters<T>, {}};
  for (std::size_t t = 0; t < inherited.targets.size(); ++t) {
    const std::size_t p = find_parameter(view, inherited.targets[t].parameter);
    if (p == kNone || find_dependency(view.parameters[p], inherited.targets[t].dependency) == kNone)
      inherited.overridden |= std::uint64_t{1} << t;
  }
}

template <class Rule>
inline constexpr bool is_own_rule = true;
template <class Base>
inline constexpr bool is_own_rule<Inherits<Base>> = false;

template <class T>
struct RuleSet {
  template <class Owner, class... Rules>
  static constexpr auto merge(const DeclaredMapping<Owner, Rules...>& declared) {
    return std::apply(
        [](const Rules&... rules) {
          constexpr std::size_t n = (std::size_t{0} + ... + std::tuple_size_v<decltype(entries_of<Owner>(rules))>);
          std::array<RuleEntry, n> entries{};
          std::array<bool, n> own{};
          std::size_t next = 0;
          const auto append = [&](const auto& some, bool is_own) {
            for (const RuleEntry& entry : some) {
              own[next] = is_own;
              entries[next++] = entry;
            }
          };
          // Owner is a base of T where T has no mapping of its own.
          (append(entries_of<Owner>(rules), is_own_rule<Rules> && std::is_same_v<Owner, T>), ...);
          override_inherited(entries, own);
          for (std::size_t i = 0; i < n; ++i)
            if (!own[i]) drop_inherited_targets<T>(entries[i].rule);
          return entries;
        },
        declared.rules);
  }
  static constexpr auto entries = [] {
    if constexpr (HasMapping<T>)
      return merge(T::param_mapping);
    else
      return std::array<RuleEntry, 0>{};
  }();
  static constexpr auto rules = [] {
    std::array<RuleDesc, entries.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = entries[i].rule;
    return all;
  }();
};

template <class T>
constexpr DefinitionView definition() {
  return {visible_parameters<T>, RuleSet<T>::rules, HasMapping<T>};
}

}  // namespace ballast::detail
