// Declaring containers, checked while they compile.
//
//   struct LlamaLayer {
//     Parameter<UnfusedQkv> qkv_w;
//     Parameter<AttentionOutput> attn_out_w;
//     static constexpr auto param_mapping = mapping<LlamaLayer>(
//         from("self_attn.q_proj.weight", to<&LlamaLayer::qkv_w, &UnfusedQkv::q_params>),
//         from("self_attn.o_proj.weight", to<&LlamaLayer::attn_out_w, &AttentionOutput::params>), ...);
//   };
//   static_assert(ballast::well_mapped<LlamaLayer>);
//
// A source name is relative to the container. `*` is one segment: in a rule onto a list it is the index, in a rule onto
// a single dependency it may only lead ("*.weight") and stands for one or more segments. from_any({"a", "b"}, ...)
// gives ordered alternatives: the first that a checkpoint has wins.
//
// A container may inherit from another: its parameters come with C++ inheritance, its rules with
// mapping<Child>(inherits<Base>, from(...), ...). What the child declares under the same name wins, and so do its
// rules.
//
// What is wrong with a mapping is a compile error named for the fault, with the offending members (detail/faults.hpp).
// The check runs wherever a container is used, and at `static_assert(well_mapped<T>)` right after its declaration.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ballast/detail/declared.hpp"
#include "ballast/detail/judge.hpp"
#include "ballast/parameter.hpp"
#include "ballast/schema.hpp"

namespace ballast {

// A target: a parameter of the container and a dependency of that parameter.
template <auto ParameterMember, auto DependencyMember>
inline constexpr detail::Target<ParameterMember, DependencyMember> to{};

// The rules of a base container, where the child does not have its own.
template <class Base>
inline constexpr detail::Inherits<Base> inherits{};

template <class... Targets>
constexpr auto from(std::string_view source, Targets...) {
  return detail::DeclaredRule<1, Targets...>{{source}, {}};
}
template <std::size_t N, class... Targets>
constexpr auto from_any(const std::string_view (&sources)[N], Targets...) {
  detail::DeclaredRule<N, Targets...> rule{};
  for (std::size_t i = 0; i < N; ++i) rule.sources[i] = sources[i];
  return rule;
}
template <class T, class... Rules>
constexpr auto mapping(Rules... rules) {
  return detail::DeclaredMapping<T, Rules...>{{rules...}};
}

namespace detail {

void fill_schema(const ParameterDesc& desc, const ParameterType& type, ParameterSchema& schema);

template <class T>
ContainerSchema make_schema() {
  std::vector<ParameterSchema> parameters(visible_slots<T>.size());
  for (std::size_t i = 0; i < parameters.size(); ++i)
    fill_schema(visible_parameters<T>[i], *parameter_probe<T>.notes[visible_slots<T>[i]].type, parameters[i]);
  std::vector<MappingRule> rules;
  for (const RuleEntry& entry : RuleSet<T>::entries) {
    if (is_dead(entry.rule)) continue;
    MappingRule rule;
    rule.sources.assign(entry.rule.patterns.begin(), entry.rule.patterns.end());
    for (std::size_t t = 0; t < entry.rule.targets.size(); ++t)
      if (!is_overridden(entry.rule, t))
        rule.targets.push_back(
            {std::string(entry.rule.targets[t].parameter), std::string(entry.rule.targets[t].dependency)});
    for (const std::string_view tie : entry.ties)
      if (!tie.empty()) rule.tied_to.emplace_back(tie);
    rules.push_back(std::move(rule));
  }
  return ContainerSchema(std::string(type_name<T>()), std::move(parameters), std::move(rules));
}

}  // namespace detail

namespace detail {

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wmissing-braces"
#endif
// A declared container whose members look at the given states, which are in the order of T's schema. A parameter of a
// base that the child declares again looks at the child's.
template <class T, class States>
T attach(const States& states) {
  constexpr auto state_of_slot = [] {
    std::array<std::size_t, all_parameters<T>.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j < visible_parameters<T>.size(); ++j)
        if (visible_parameters<T>[j].name == all_parameters<T>[i].name) all[i] = j;
    return all;
  }();
  return [&]<std::size_t... I>(std::index_sequence<I...>) { return T{ParameterInit(&states[state_of_slot[I]])...}; }
  (std::make_index_sequence<all_parameters<T>.size()>());
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

}  // namespace detail

// True for every container that compiles: evaluating it for one with a faulty mapping is the compile error.
template <class T>
inline constexpr bool well_mapped = detail::judge<T>();

// The runtime schema of a declared container; made once, then shared.
template <class T>
[[nodiscard]] const ContainerSchema& schema_of() {
  static_assert(well_mapped<T>);
  static const ContainerSchema schema = detail::make_schema<T>();
  return schema;
}

}  // namespace ballast
