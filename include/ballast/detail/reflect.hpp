// The reflection trick: the names and the order of a struct's slots, on compilers without reflection.
//
// A container is an aggregate whose members are all `Parameter<...>`; a parameter is an aggregate whose members are all
// dependencies. Both kinds of member ("slots") are of one size, so a struct's slots can be counted, and both can be
// made from one converter type, so that `T{init, init, ...}` reaches every slot in order; brace elision takes it
// through base classes. The slots of one constexpr object with static storage note their own addresses on the way. From
// an address comes the index (by comparing it with that of a member pointer) and the name: a pointer to a subobject,
// wrapped in a class and given as a template argument, is spelled out in __PRETTY_FUNCTION__ by gcc 12 and clang 14 and
// later. Nothing else in Ballast parses what a compiler prints.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wmissing-braces"
#endif

namespace ballast::detail {

// Init is ParameterInit or DependencyInit: constructible from a Note*, which the slot made from it fills.
template <class T, class Init, std::size_t... I>
concept AggregateOfSlots = std::is_aggregate_v<T> && requires {
  T{(static_cast<void>(I), Init())...};
};

template <class T, class Slot>
inline constexpr std::size_t slot_count = std::is_empty_v<T> ? 0 : sizeof(T) / sizeof(Slot);

// Whether T is slots and nothing else. The size tells of a small last member, which needs no initialiser.
template <class T, class Slot, class Init>
constexpr bool is_made_of_slots() {
  if constexpr (std::is_empty_v<T>)
    return std::is_aggregate_v<T>;
  else
    return sizeof(T) % sizeof(Slot) == 0 &&[]<std::size_t... I>(std::index_sequence<I...>) {
      return AggregateOfSlots<T, Init, I...>;
    }
  (std::make_index_sequence<slot_count<T, Slot>>());
}

template <class T, class Init, class Note, std::size_t N>
struct Probe {
  std::array<Note, N> notes{};
  T its_slots_;  // NOLINT(readability-identifier-naming): no member of a declaration may be called the same

  template <std::size_t... I>
  constexpr explicit Probe(std::index_sequence<I...>) : its_slots_{Init(&notes[I])...} {}
};

// The index of the slot that a member pointer names, found by address; N where none is.
template <std::size_t N, class Note, class Slot>
constexpr std::size_t index_of_slot(const std::array<Note, N>& notes, const Slot* slot) noexcept {
  for (std::size_t i = 0; i < N; ++i)
    if (notes[i].address == slot) return i;
  return N;
}

constexpr bool is_identifier_char(char c) noexcept {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// From "...its_slots_.{anonymous}::LlamaLayer::<anonymous>.Base::qkv_w.Parameter<X>::<anonymous>))}]" (gcc: bases are
// anonymous members) or "...its_slots_.Base::qkv_w}]" (clang): the last member that has a name. Template arguments,
// parameters of functions and names of anonymous namespaces are in brackets; the text ends where one closes that was
// opened before it.
constexpr std::string_view last_named_member(std::string_view text) noexcept {
  constexpr std::string_view kStart = "its_slots_";
  const std::string_view rest = text.substr(text.rfind(kStart) + kStart.size());
  std::string_view found;
  std::size_t begin = 0;  // of the identifier that is being read
  int depth = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const char c = rest[i];
    if (depth == 0 && is_identifier_char(c)) continue;
    const bool closes = c == '>' || c == ')' || c == '}' || c == ']' || c == ';';
    if (depth == 0 && (c == '.' || closes) && i > begin) found = rest.substr(begin, i - begin);
    if (depth == 0 && closes) break;
    if (c == '<' || c == '(' || c == '{') ++depth;
    if (closes) --depth;
    begin = i + 1;
  }
  return found;
}

template <auto Place>
constexpr std::string_view spelled() noexcept {
  return __PRETTY_FUNCTION__;
}

// "LlamaLayer" of ballast::models::LlamaLayer.
template <class T>
constexpr std::string_view type_name() noexcept {
  std::string_view text = __PRETTY_FUNCTION__;
  text = text.substr(text.find("T = ") + 4);
  std::size_t end = 0;
  int depth = 0;
  std::size_t begin = 0;
  for (; end < text.size(); ++end) {
    const char c = text[end];
    if (depth == 0 && (c == ']' || c == ';')) break;
    if (c == '<' || c == '(' || c == '{') ++depth;
    if (c == '>' || c == ')' || c == '}') --depth;
    if (depth == 0 && c == ':') begin = end + 1;
  }
  return text.substr(begin, end - begin);
}

template <class>
struct MemberPointer;
template <class Member, class Class>
struct MemberPointer<Member Class::*> {
  using member = Member;
  using owner = Class;
};

}  // namespace ballast::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
