// Numbers as both formats store them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace ballast {

// From any address: nothing in a file is aligned.
template <typename T>
requires std::is_integral_v<T>
[[nodiscard]] constexpr T little_endian(const unsigned char* bytes) noexcept {
  std::make_unsigned_t<T> value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    value = static_cast<std::make_unsigned_t<T>>(value | (static_cast<std::uint64_t>(bytes[i]) << (8 * i)));
  return static_cast<T>(value);
}

}  // namespace ballast
