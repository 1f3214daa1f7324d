#include "support/fill.hpp"

#include <stdexcept>

namespace ballast::test {

std::string fill_bytes(DType dtype, const Shape& shape, std::uint64_t seed) {
  const auto elements = shape.checked_numel();
  const auto size = elements ? byte_size(dtype, *elements) : std::nullopt;
  if (!size) throw std::invalid_argument("no such size: " + std::string(name(dtype)) + " " + to_string(shape));
  std::string bytes(*size, '\0');
  // A linear congruential sequence; the high bits are the good ones.
  std::uint64_t state = seed * 0x9E3779B97F4A7C15U + 1;
  for (char& byte : bytes) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    byte = static_cast<char>(state >> 56U);
  }
  return bytes;
}

}  // namespace ballast::test
