// Bytes of values, as they lie in a weight file (little-endian, as is every machine these tests run on).
#pragma once

#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <type_traits>

namespace ballast::test {

template <class T>
[[nodiscard]] std::string bytes_of(std::span<const T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::string bytes(values.size_bytes(), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class T>
[[nodiscard]] std::string bytes_of(std::initializer_list<T> values) {
  return bytes_of(std::span<const T>(values.begin(), values.size()));
}

template <class T>
[[nodiscard]] std::string bytes_of(const T& value) {
  return bytes_of(std::span<const T>(&value, 1));
}

}  // namespace ballast::test
