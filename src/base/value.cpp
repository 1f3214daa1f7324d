#include "ballast/value.hpp"

#include <cmath>

namespace ballast {

std::optional<bool> Value::boolean() const noexcept {
  if (const bool* value = std::get_if<bool>(&storage_)) return *value;
  return std::nullopt;
}

std::optional<std::uint64_t> Value::unsigned_integer() const noexcept {
  constexpr double kTwoTo64 = 18446744073709551616.0;
  if (const auto* value = std::get_if<std::int64_t>(&storage_)) {
    if (*value < 0) return std::nullopt;
    return static_cast<std::uint64_t>(*value);
  }
  if (const auto* value = std::get_if<std::uint64_t>(&storage_)) return *value;
  if (const auto* value = std::get_if<double>(&storage_))
    // Written so that a NaN fails; the bound comes before the cast, which is undefined beyond it.
    if (*value >= 0 && *value < kTwoTo64 && std::trunc(*value) == *value) return static_cast<std::uint64_t>(*value);
  return std::nullopt;
}

std::optional<double> Value::number() const noexcept {
  if (const auto* value = std::get_if<std::int64_t>(&storage_)) return static_cast<double>(*value);
  if (const auto* value = std::get_if<std::uint64_t>(&storage_)) return static_cast<double>(*value);
  if (const auto* value = std::get_if<double>(&storage_)) return *value;
  return std::nullopt;
}

const Value* Value::find(std::string_view key) const noexcept {
  const Object* members = object();
  if (members == nullptr) return nullptr;
  for (const Member& member : *members)
    if (member.first == key) return &member.second;
  return nullptr;
}

}  // namespace ballast
