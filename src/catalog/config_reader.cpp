#include "catalog/config_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "catalog/describe.hpp"

namespace ballast::catalog {

ConfigReader::Member ConfigReader::find(std::initializer_list<std::string_view> keys) const {
  for (const std::string_view key : keys)
    if (const Value* value = document_.find(key); value != nullptr && !value->is_null())
      return {value, std::string(key)};
  if (fallback_ == nullptr) return {};
  for (const std::string_view key : keys)
    if (const Value* value = fallback_->find(key); value != nullptr && !value->is_null())
      return {value, fmt::format("{}.{}", fallback_name_, key)};
  return {};
}

std::uint64_t ConfigReader::number(std::initializer_list<std::string_view> keys) {
  const Member member = find(keys);
  if (member.value == nullptr) return 0;
  if (const auto* layers = member.value->array()) return per_layer_number(member, *layers);
  if (const auto value = member.value->unsigned_integer()) return *value;
  add_fault(member.key, "a whole number, not negative", *member.value);
  return 0;
}

std::uint64_t ConfigReader::per_layer_number(const Member& member, const Value::Array& layers) {
  if (layers.empty()) {
    add_fault(member.key, "a whole number, not negative", *member.value);
    return 0;
  }
  const auto first = layers.front().unsigned_integer();
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto value = layers[i].unsigned_integer();
    if (!value) {
      add_fault(fmt::format("{}[{}]", member.key, i), "a whole number, not negative", layers[i]);
      return 0;
    }
    if (value == first) continue;
    Diagnostic diagnostic;
    diagnostic.what = fmt::format("{} differs from layer to layer, which is not supported", quoted(member.key));
    diagnostic.expected = "one number, or the same number for every layer";
    diagnostic.got = fmt::format("{} for layer 0, {} for layer {}", *first, *value, i);
    add_fault(std::move(diagnostic));
    return 0;
  }
  return *first;
}

std::optional<bool> ConfigReader::boolean(std::string_view key) {
  const Member member = find({key});
  if (member.value == nullptr) return std::nullopt;
  const auto value = member.value->boolean();
  if (!value) add_fault(member.key, "true or false", *member.value);
  return value;
}

std::string ConfigReader::text(std::string_view key) {
  const Value* value = document_.find(key);
  if (value == nullptr || value->is_null()) return {};
  if (const auto* string = value->string()) return *string;
  add_fault(key, "a string", *value);
  return {};
}

void ConfigReader::add_fault(std::string_view key, std::string expected, const Value& got) {
  Diagnostic diagnostic;
  diagnostic.what = quoted(key) + " is of the wrong kind";
  diagnostic.expected = std::move(expected);
  diagnostic.got = describe(got);
  add_fault(std::move(diagnostic));
}

void ConfigReader::add_fault(Diagnostic diagnostic) {
  diagnostic.code = Errc::config_invalid;
  diagnostic.operation = "read config";
  diagnostic.file = path_;
  faults_.add(std::move(diagnostic));
}

}  // namespace ballast::catalog
