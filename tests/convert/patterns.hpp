// Kernels called on patterns (elements as unsigned numbers) instead of bytes, and what patterns mean.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "ballast/dtype.hpp"
#include "convert/convert.hpp"

namespace ballast::test {

inline constexpr DType kFloats[] = {DType::F64,     DType::F32,         DType::F16,
                                    DType::BF16,    DType::F8_E4M3,     DType::F8_E5M2,
                                    DType::F8_E8M0, DType::F8_E4M3FNUZ, DType::F8_E5M2FNUZ};

inline constexpr DType kGgmlTypes[] = {DType::Q4_0, DType::Q4_1, DType::Q5_0, DType::Q5_1, DType::Q8_0};

using Patterns = std::vector<std::uint64_t>;

inline std::vector<std::byte> bytes_from(const Patterns& patterns, std::size_t width) {
  std::vector<std::byte> bytes(patterns.size() * width);
  for (std::size_t i = 0; i != patterns.size(); ++i) std::memcpy(&bytes[i * width], &patterns[i], width);
  return bytes;
}

inline Patterns patterns_from(const std::vector<std::byte>& bytes, std::size_t width) {
  Patterns patterns(bytes.size() / width);
  for (std::size_t i = 0; i != patterns.size(); ++i) std::memcpy(&patterns[i], &bytes[i * width], width);
  return patterns;
}

inline Patterns convert_patterns(DType from, DType to, const Patterns& patterns) {
  const auto kernel = convert::find_kernel(from, to);
  if (kernel == nullptr) {
    ADD_FAILURE() << "no kernel from " << name(from) << " to " << name(to);
    return {};
  }
  const auto input = bytes_from(patterns, info(from).block_bytes);
  std::vector<std::byte> output(patterns.size() * info(to).block_bytes);
  kernel(input.data(), output.data(), patterns.size());
  return patterns_from(output, info(to).block_bytes);
}

// What a floating type's NaNs are: those above the infinity's pattern, or one or two patterns.
struct NanPatterns {
  std::uint64_t sign;      // the sign bit, 0 for a type without signed NaNs
  std::uint64_t infinity;  // 0 for a type without one
  std::uint64_t nan;       // the canonical one
};

inline NanPatterns nan_patterns(DType dtype) {
  switch (dtype) {
    case DType::F64:
      return {0x8000'0000'0000'0000, 0x7FF0'0000'0000'0000, 0x7FF8'0000'0000'0000};
    case DType::F32:
      return {0x8000'0000, 0x7F80'0000, 0x7FC0'0000};
    case DType::F16:
      return {0x8000, 0x7C00, 0x7E00};
    case DType::BF16:
      return {0x8000, 0x7F80, 0x7FC0};
    case DType::F8_E5M2:
      return {0x80, 0x7C, 0x7F};
    case DType::F8_E4M3:
      return {0x80, 0, 0x7F};
    case DType::F8_E8M0:
      return {0, 0, 0xFF};
    default:
      return {0, 0, 0x80};
  }
}

inline bool is_nan(DType dtype, std::uint64_t pattern) {
  const auto [sign, infinity, nan] = nan_patterns(dtype);
  const auto unsigned_pattern = pattern & ~sign;
  return infinity == 0 ? unsigned_pattern == nan : unsigned_pattern > infinity;
}

}  // namespace ballast::test
