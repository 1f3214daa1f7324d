// JSON as a person writes it into a schema file, with the place of everything: strict (RFC 8259), no key twice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ballast/error.hpp"

namespace ballast::schema_file {

struct Json {
  struct Member;
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;
  struct Number {
    std::string text;
  };
  std::variant<std::monostate, bool, Number, std::string, Array, Object> value;
  std::size_t offset = 0;  // of its first character in the text

  [[nodiscard]] const Array* array() const noexcept { return std::get_if<Array>(&value); }
  [[nodiscard]] const Object* object() const noexcept { return std::get_if<Object>(&value); }
  [[nodiscard]] const std::string* string() const noexcept { return std::get_if<std::string>(&value); }
  [[nodiscard]] const Json* find(std::string_view key) const noexcept;  // of an object
};

struct Json::Member {
  std::string key;
  std::size_t offset = 0;  // of the key
  Json value;
};

// Throws Error(schema_invalid | duplicate_key | limit_exceeded) with the first fault of the text.
[[nodiscard]] Json parse_json(std::string_view text, const std::string& path);

// "line 41, column 7"
[[nodiscard]] std::string line_and_column(std::string_view text, std::size_t offset);

// The offset of a character of a string's value, given where the string starts.
[[nodiscard]] std::size_t offset_in_string(std::string_view text, std::size_t string_offset, std::size_t position);

// "\"text\"", with what JSON wants escaped.
[[nodiscard]] std::string quoted_json(std::string_view text);

}  // namespace ballast::schema_file
