// UTF-8, one character at a time, and the place of the first fault.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace ballast {

struct Utf8Character {
  char32_t code = 0;
  std::size_t length = 1;  // bytes; 1 where invalid
  bool valid = false;
};

// The first character of `text`, which must not be empty. Overlong forms, surrogates and anything beyond U+10FFFF
// are invalid.
[[nodiscard]] Utf8Character decode_utf8(std::string_view text) noexcept;

// The offset of the first byte that is no valid UTF-8; nothing where all of it is.
[[nodiscard]] std::optional<std::size_t> find_invalid_utf8(std::string_view text) noexcept;

}  // namespace ballast
