// Reads typed members of a config and collects what is wrong with them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "ballast/error.hpp"
#include "ballast/value.hpp"

namespace ballast::catalog {

class ConfigReader {
 public:
  // `fallback` supplies what `document` lacks; its members are named with `fallback_name` and a dot before them. Null
  // where there is none. Both must outlive the reader.
  ConfigReader(const Value& document, const Value* fallback, std::string_view fallback_name, std::string path)
      : document_(document), fallback_(fallback), fallback_name_(fallback_name), path_(std::move(path)) {}

  // A member and the key that a person finds it by.
  struct Member {
    const Value* value = nullptr;
    std::string key;
  };
  // The first of `keys` that is there and not null.
  [[nodiscard]] Member find(std::initializer_list<std::string_view> keys) const;

  // Each reads the first of `keys` that is there, and adds a fault where it is of another kind. 0, nothing and ""
  // where there is none. A number may be written as an array of one number per layer, all equal.
  [[nodiscard]] std::uint64_t number(std::initializer_list<std::string_view> keys);
  [[nodiscard]] std::optional<bool> boolean(std::string_view key);
  [[nodiscard]] std::string text(std::string_view key);

  void add_fault(std::string_view key, std::string expected, const Value& got);
  void throw_if_any() const { faults_.throw_if_any(); }

 private:
  [[nodiscard]] std::uint64_t per_layer_number(const Member& member, const Value::Array& layers);
  void add_fault(Diagnostic diagnostic);

  const Value& document_;
  const Value* fallback_;
  std::string_view fallback_name_;
  std::string path_;
  Diagnostics faults_;
};

}  // namespace ballast::catalog
