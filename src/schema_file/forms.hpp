// Parameters of several forms, of which a checkpoint has exactly one: to which of them a dependency belongs (0: the
// parameter has no forms).
#pragma once

#include <cstdint>

#include "ballast/schema.hpp"

namespace ballast::schema_file {

template <class Dependency>
concept HasForm = requires(Dependency dependency) {
  dependency.form;
};
inline constexpr bool kHasForms = HasForm<DependencySchema>;

template <class Dependency>
[[nodiscard]] constexpr std::uint32_t form_of(const Dependency& dependency) noexcept {
  if constexpr (HasForm<Dependency>)
    return static_cast<std::uint32_t>(dependency.form);
  else
    return 0;
}

template <class Dependency>
constexpr void set_form(Dependency& dependency, std::uint32_t form) noexcept {
  if constexpr (HasForm<Dependency>) dependency.form = static_cast<decltype(dependency.form)>(form);
}

}  // namespace ballast::schema_file
