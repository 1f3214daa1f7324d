// The names of compile-time faults. Each is a class template whose use is the error: the compiler prints its sentence,
// and with it the template's name and arguments, which say where.
#pragma once

#include <cstddef>

namespace ballast {

namespace detail {
class ParameterSlot;
class DependencySlot;
}  // namespace detail

namespace faults {

struct At {  // prints the names of a parameter and, where there is one, of a dependency
  const detail::ParameterSlot* parameter = nullptr;
  const detail::DependencySlot* dependency = nullptr;
};

// A source name, spelled out. clang 14 prints arrays as numbers and cuts them short, so it gets single characters.
#if defined(__clang__) && __clang_major__ < 15
template <char... Characters>
struct Source {};
template <char... Characters>
using SourceOf = Source<Characters...>;
#else
template <std::size_t N>
struct Text {
  char text[N];
};
template <Text Name>
struct Source {};
template <char... Characters>
using SourceOf = Source<Text<sizeof...(Characters) + 1>{{Characters..., '\0'}}>;
#endif

// False, but only where it is used.
template <auto...>
inline constexpr bool allowed = false;
template <class...>
inline constexpr bool allowed_type = false;

template <class Container>
struct container_has_members_that_are_not_parameters {
  static_assert(allowed_type<Container>, "a container is an aggregate whose members are all Parameter<...>");
};

template <class Parameter>
struct parameter_has_members_that_are_not_dependencies {
  static_assert(allowed_type<Parameter>, "a parameter is an aggregate whose members are all dependencies");
};

template <At Twice>
struct parameter_declares_dependency_twice {  // D7
  static_assert(allowed<Twice>, "a parameter declares a dependency that its base has under the same name");
};

template <auto TargetParameter, auto TargetDependency, At... ValidOnes>
struct mapping_targets_dependency_of_another_parameter {  // D1
  static_assert(allowed<TargetParameter, TargetDependency, ValidOnes...>,
                "a rule targets a dependency that its parameter does not have; the valid ones come last");
};

template <auto TargetParameter, auto TargetDependency>
struct mapping_targets_parameter_of_another_container {  // D1
  static_assert(allowed<TargetParameter, TargetDependency>,
                "a rule targets a parameter that its container does not have");
};

template <class Source>
struct mapping_targets_what_is_hidden {  // D6
  static_assert(allowed_type<Source>, "a rule targets a parameter of the base that the container declares anew");
};

template <At... Unmapped>
struct mapping_leaves_unmapped {  // D2
  static_assert(allowed<Unmapped...>, "no rule fills these dependencies, and they are not declared optional");
};

template <At FilledTwice>
struct mapping_fills_twice {  // D2
  static_assert(allowed<FilledTwice>,
                "two rules fill a dependency; several names for one source are from_any({...}, ...)");
};

template <class Source>
struct mapping_rule_has_no_target {  // D3
  static_assert(allowed_type<Source>, "a rule has no target");
};

template <At First, class Source>
struct mapping_wildcard_is_wrong {  // D4
  static_assert(allowed<First>,
                "a rule onto a list needs exactly one '*', the index; onto a single dependency '*' may only lead");
};

template <At First, class Source>
struct mapping_mixes_list_and_single {  // D4
  static_assert(allowed<First>, "a rule fills lists and single dependencies at once");
};

template <At First, class Source>
struct mapping_repeats_source {  // D5
  static_assert(allowed<First>, "a source has two rules; one rule may have several targets");
};

template <At First, At Second, class SourceA, class SourceB>
struct mapping_sources_overlap {  // R28
  static_assert(allowed<First, Second>, "some names match both of two sources");
};

template <At First, class Source>
struct mapping_source_is_malformed {
  static_assert(allowed<First>, "a source has an empty segment, or a '*' that is not a whole segment");
};

}  // namespace faults

}  // namespace ballast
