// Structured data read from config.json, from GGUF metadata and from safetensors `__metadata__`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ballast {

// A JSON-like value. Objects keep their members in file order. Integers are kept exactly: those that fit as int64,
// larger ones as uint64.
class Value {
 public:
  using Array = std::vector<Value>;
  using Member = std::pair<std::string, Value>;
  using Object = std::vector<Member>;
  using Storage = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object>;

  Value() = default;  // null
  explicit Value(Storage storage) : storage_(std::move(storage)) {}

  [[nodiscard]] const Storage& storage() const noexcept { return storage_; }
  [[nodiscard]] bool is_null() const noexcept { return std::holds_alternative<std::monostate>(storage_); }
  [[nodiscard]] const Array* array() const noexcept { return std::get_if<Array>(&storage_); }
  [[nodiscard]] const Object* object() const noexcept { return std::get_if<Object>(&storage_); }
  [[nodiscard]] const std::string* string() const noexcept { return std::get_if<std::string>(&storage_); }
  [[nodiscard]] std::optional<bool> boolean() const noexcept;
  // A non-negative whole number, also when written as 12.0.
  [[nodiscard]] std::optional<std::uint64_t> unsigned_integer() const noexcept;
  [[nodiscard]] std::optional<double> number() const noexcept;  // any number

  // The member of an object; null pointer where this is no object or has no such member.
  [[nodiscard]] const Value* find(std::string_view key) const noexcept;

 private:
  Storage storage_;
};

}  // namespace ballast
