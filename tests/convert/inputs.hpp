// The inputs of the digests, as tests/fixtures/make_convert.py defines them. Patterns, as unsigned numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ballast/dtype.hpp"

namespace ballast::test {

// The first `count` outputs of SplitMix64, seeded with 0.
inline std::vector<std::uint64_t> splitmix64(std::size_t count) {
  std::vector<std::uint64_t> outputs(count);
  std::uint64_t state = 0;
  for (std::uint64_t& output : outputs) {
    state += 0x9E3779B97F4A7C15;
    output = state;
    output = (output ^ (output >> 30)) * 0xBF58476D1CE4E5B9;
    output = (output ^ (output >> 27)) * 0x94D049BB133111EB;
    output ^= output >> 31;
  }
  return outputs;
}

// 0, all ones, then about each possible tie: a lowest kept bit of 0 or 1 (and more above), a half, and 0 or +-1.
inline std::vector<std::uint64_t> mantissas(unsigned width) {
  const std::uint64_t ones = (std::uint64_t{1} << width) - 1;
  std::vector<std::uint64_t> values{0, ones};
  for (unsigned half = 0; half != width; ++half) {
    for (const std::uint64_t kept : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, ones}) {
      const std::uint64_t tie = (kept << (half + 1)) + (std::uint64_t{1} << half);
      for (const std::uint64_t value : {tie - 1, tie, tie + 1}) values.push_back(value & ones);
    }
  }
  return values;
}

// The first and the last two exponents of F64, then those that F32 has and some beyond.
inline std::vector<std::uint64_t> f64_exponents() {
  std::vector<std::uint64_t> exponents{0, 1, 2046, 2047};
  for (std::uint64_t exponent = 863; exponent != 1163; ++exponent) exponents.push_back(exponent);
  return exponents;
}

inline std::vector<std::uint64_t> f32_exponents() {
  std::vector<std::uint64_t> exponents;
  for (std::uint64_t exponent = 0; exponent != 256; ++exponent) exponents.push_back(exponent);
  return exponents;
}

inline std::vector<std::uint64_t> structured(unsigned sign_at, const std::vector<std::uint64_t>& exponents,
                                             unsigned width) {
  const auto ends = mantissas(width);
  std::vector<std::uint64_t> patterns;
  for (const std::uint64_t sign : {0U, 1U}) {
    for (const std::uint64_t exponent : exponents) {
      for (const std::uint64_t end : ends) patterns.push_back(sign << sign_at | exponent << width | end);
    }
  }
  return patterns;
}

// Every pattern of types of 8 and 16 bits; for F32 and F64 the structured ones and a million random ones.
inline std::vector<std::uint64_t> inputs_of(DType dtype) {
  constexpr std::size_t kRandom = 1'000'000;
  if (dtype == DType::F32) {
    auto patterns = structured(31, f32_exponents(), 23);
    for (const auto random : splitmix64(kRandom)) patterns.push_back(random & 0xFFFF'FFFF);
    return patterns;
  }
  if (dtype == DType::F64) {
    auto patterns = structured(63, f64_exponents(), 52);
    for (const auto random : splitmix64(kRandom)) {
      patterns.push_back((random & 0x800F'FFFF'FFFF'FFFF) | (863 + (random >> 52) % 300) << 52);
    }
    return patterns;
  }
  std::vector<std::uint64_t> patterns(std::size_t{1} << (8 * info(dtype).block_bytes));
  for (std::size_t i = 0; i != patterns.size(); ++i) patterns[i] = i;
  return patterns;
}

}  // namespace ballast::test
