// What a declaration is made of: dependencies inside parameters, parameters inside containers.
//
//   struct UnfusedQkv {                                  // a parameter: dependencies and a recipe
//     Dependency q_params, k_params, v_params;
//     Recipe finalize(const ModelContext& m) const { return m.transform_qkv(concat(0, q_params, k_params, v_params)); }
//   };
//   struct LlamaLayer {                                  // a container: parameters and a mapping (declare.hpp)
//     Parameter<UnfusedQkv> qkv_w;
//     ...
//   };
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "ballast/detail/definition.hpp"
#include "ballast/detail/faults.hpp"
#include "ballast/detail/reflect.hpp"
#include "ballast/model_context.hpp"
#include "ballast/recipe.hpp"
#include "ballast/tensor.hpp"

namespace ballast {

class ParameterState;  // container.hpp

namespace detail {

using LengthFunction = std::uint64_t (*)(const ModelContext&);

class DependencySlot;

struct DependencyNote {
  const DependencySlot* address = nullptr;
  DependencyKind kind = DependencyKind::single;
  std::string_view length_name;
  LengthFunction length = nullptr;
};

struct DependencyInit {
  constexpr DependencyInit() = default;
  constexpr explicit DependencyInit(DependencyNote* note_to_fill) : note(note_to_fill), has_note(true) {}
  explicit DependencyInit(std::span<const Recipe> bound) : operands(bound) {}
  DependencyNote* note = nullptr;
  // Asked instead of whether `note` is null: with -fsanitize=undefined gcc does not do that in a constant expression.
  bool has_note = false;
  std::span<const Recipe> operands;
};

// All kinds of dependency are this and nothing more, so that they have one size.
class DependencySlot {
 public:
  constexpr DependencySlot() = default;

 protected:
  constexpr DependencySlot(const DependencyInit& init, DependencyKind kind, std::string_view length_name = {},
                           LengthFunction length = nullptr)
      : operands_(init.operands) {
    if (init.has_note) *init.note = {this, kind, length_name, length};
  }
  [[nodiscard]] const Recipe& single() const;  // throws Error(not_loaded) where there is none

  std::span<const Recipe> operands_;
};

class ParameterSlot;
struct ParameterType;

struct ParameterNote {
  const ParameterSlot* address = nullptr;
  const ParameterType* type = nullptr;
};

struct ParameterInit {
  constexpr ParameterInit() = default;
  constexpr explicit ParameterInit(ParameterNote* note_to_fill) : note(note_to_fill), has_note(true) {}
  explicit ParameterInit(const ParameterState* bound) : state(bound) {}
  ParameterNote* note = nullptr;
  bool has_note = false;
  const ParameterState* state = nullptr;
};

// A declared parameter in a container that has been attached to a loaded one (LoadedModel::layer, LayerContainer::as).
// Valid as long as that one lives. All access checks: a parameter that is not loaded yet is Error(not_loaded), naming
// it.
class ParameterSlot {
 public:
  constexpr ParameterSlot() = default;

  [[nodiscard]] bool is_loaded() const noexcept;  // finalised, perhaps to nothing
  [[nodiscard]] bool has_tensor() const;          // false: holds nothing on this rank
  [[nodiscard]] const Tensor& tensor() const;     // throws Error(not_loaded) also where it holds nothing
  [[nodiscard]] const Tensor& aux(std::string_view aux_name) const;
  [[nodiscard]] const InferenceParameter& get() const;
  operator const Tensor&() const { return tensor(); }  // NOLINT(google-explicit-constructor): a parameter is its tensor
  const Tensor* operator->() const { return &tensor(); }

 protected:
  constexpr explicit ParameterSlot(const ParameterInit& init, const ParameterType* type) : state_(init.state) {
    if (init.has_note) *init.note = {this, type};
  }

 private:
  const ParameterState* state_ = nullptr;
};

template <auto Length>
constexpr std::string_view member_pointer_name() noexcept {
  std::string_view text = __PRETTY_FUNCTION__;
  text = text.substr(text.find("Length = ") + 9);
  std::size_t end = text.find_first_of("];)");
  text = text.substr(0, end);
  return text.substr(text.rfind(':') + 1);
}

}  // namespace detail

// One stored tensor.
class Dependency : public detail::DependencySlot {
 public:
  constexpr Dependency() = default;
  constexpr Dependency(const detail::DependencyInit& init)  // NOLINT(google-explicit-constructor): see reflect.hpp
      : DependencySlot(init, detail::DependencyKind::single) {}
  operator Recipe() const { return single(); }  // NOLINT(google-explicit-constructor): a dependency is its tensor
  [[nodiscard]] const Shape& shape() const { return single().shape(); }
  [[nodiscard]] DType dtype() const { return single().dtype(); }
};

// One stored tensor that a checkpoint may lack.
class OptionalDependency : public detail::DependencySlot {
 public:
  constexpr OptionalDependency() = default;
  constexpr OptionalDependency(const detail::DependencyInit& init)  // NOLINT(google-explicit-constructor)
      : DependencySlot(init, detail::DependencyKind::optional) {}
  [[nodiscard]] bool has_value() const noexcept { return !operands_.empty(); }
  explicit operator bool() const noexcept { return has_value(); }
  operator Recipe() const { return single(); }  // NOLINT(google-explicit-constructor): throws where it is absent
};

template <auto Length>
concept NumberOfTheModelContext = requires(const ModelContext& m) {
  { std::invoke(Length, m) } -> std::convertible_to<std::uint64_t>;
};

// As many stored tensors as a member of the model context says: DependencyList<&ModelContext::n_experts>.
template <auto Length>
requires NumberOfTheModelContext<Length>
class DependencyList : public detail::DependencySlot {
 public:
  constexpr DependencyList() = default;
  constexpr DependencyList(const detail::DependencyInit& init)  // NOLINT(google-explicit-constructor)
      : DependencySlot(init, detail::DependencyKind::list, detail::member_pointer_name<Length>(),
                       [](const ModelContext& m) { return static_cast<std::uint64_t>(std::invoke(Length, m)); }) {}
  [[nodiscard]] std::size_t size() const noexcept { return operands_.size(); }
  [[nodiscard]] std::span<const Recipe> all() const noexcept { return operands_; }
  operator std::span<const Recipe>() const noexcept { return operands_; }  // NOLINT(google-explicit-constructor)
};

// A parameter that checkpoints store in one of several forms: experts one by one or in one tensor, say. Its
// dependencies are those of all forms; those of exactly one form are there, all of them, and that form's finalize is
// called.
//
//   struct MoeMlp2 : OneOf<SeparateMoeMlp2, PackedMoeMlp2> {};
//   Parameter<MoeMlp2> moe_mlp_2;     ...     to<&Layer::moe_mlp_2, &PackedMoeMlp2::experts>
template <class... Forms>
struct OneOf : Forms... {
  static_assert(sizeof...(Forms) > 1);
  using forms = OneOf;
};

namespace detail {

template <class P>
constexpr std::size_t dependency_count() {
  if constexpr (is_made_of_slots<P, DependencySlot, DependencyInit>())
    return slot_count<P, DependencySlot>;
  else
    return 0 * sizeof(faults::parameter_has_members_that_are_not_dependencies<P>);
}

template <class P>
using DependencyProbe = Probe<P, DependencyInit, DependencyNote, dependency_count<P>()>;

template <class P>
inline constexpr DependencyProbe<P> dependency_probe{std::make_index_sequence<dependency_count<P>()>()};

struct DependencySpelling {
  const DependencySlot* slot;
};

template <class P, std::size_t... I>
constexpr std::array<DependencyDesc, sizeof...(I)> describe_dependencies(std::index_sequence<I...>) {
  return {DependencyDesc{last_named_member(spelled<DependencySpelling{dependency_probe<P>.notes[I].address}>()),
                         dependency_probe<P>.notes[I].kind}...};
}

template <class P>
inline constexpr auto dependency_descs = describe_dependencies<P>(std::make_index_sequence<dependency_count<P>()>());

using OperandSpans = std::span<const std::span<const Recipe>>;

// Everything about a parameter type that its container needs without knowing the type.
struct ParameterType {
  std::string_view name;
  std::span<const DependencyDesc> dependencies;
  std::span<const DependencyNote> notes;
  Recipe (*finalize)(const ModelContext&, OperandSpans) = nullptr;
  std::span<const std::uint8_t> forms;  // of each dependency, from 1; empty where there is but one form
};

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wmissing-braces"
#endif
template <class P>
Recipe finalize_one_form(const ModelContext& m, OperandSpans operands) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    const P parameter{DependencyInit(operands[I])...};
    return parameter.finalize(m);
  }
  (std::make_index_sequence<dependency_count<P>()>());
}

// The first of the forms that has an operand; where none has (lists of length zero), the first.
template <class Form, class... Others>
Recipe finalize_present_form(const ModelContext& m, OperandSpans operands) {
  constexpr std::size_t kCount = dependency_count<Form>();
  if constexpr (sizeof...(Others) > 0) {
    const auto any = [](OperandSpans some) {
      for (const std::span<const Recipe> one : some)
        if (!one.empty()) return true;
      return false;
    };
    if (!any(operands.first(kCount)) && any(operands.subspan(kCount)))
      return finalize_present_form<Others...>(m, operands.subspan(kCount));
  }
  return finalize_one_form<Form>(m, operands.first(kCount));
}

template <class P>
struct FormsOf {
  static constexpr std::array<std::uint8_t, 0> of_dependencies{};
  static constexpr auto finalize = &finalize_one_form<P>;
};
template <class... Forms>
struct FormsOf<OneOf<Forms...>> {
  static constexpr auto of_dependencies = [] {
    std::array<std::uint8_t, (dependency_count<Forms>() + ...)> all{};
    std::size_t next = 0;
    std::uint8_t form = 0;
    const auto add = [&](std::size_t count) {
      ++form;
      for (std::size_t i = 0; i < count; ++i) all[next++] = form;
    };
    (add(dependency_count<Forms>()), ...);
    return all;
  }();
  static constexpr auto finalize = &finalize_present_form<Forms...>;
};
template <class P>
requires requires { typename P::forms; }
struct FormsOf<P> : FormsOf<typename P::forms> {};
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

template <class P>
inline constexpr ParameterType parameter_type{type_name<P>(), dependency_descs<P>, dependency_probe<P>.notes,
                                              FormsOf<P>::finalize, FormsOf<P>::of_dependencies};

}  // namespace detail

// A parameter of a container: made of what P depends on, by P::finalize. Inherits the access of detail::ParameterSlot.
template <class P>
class Parameter : public detail::ParameterSlot {
 public:
  using type = P;
  constexpr Parameter() = default;
  constexpr Parameter(const detail::ParameterInit& init)  // NOLINT(google-explicit-constructor): see reflect.hpp
      : ParameterSlot(init, init.has_note ? &detail::parameter_type<P> : nullptr) {}
};

}  // namespace ballast
