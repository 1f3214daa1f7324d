// The floating types as the loops see them: how an element is stored, and its way to and from F32.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "ballast/dtype.hpp"
#include "convert/minifloat.hpp"

namespace ballast::convert {

template <DType dtype>
struct Element;  // { Stored; to_f32(Stored) -> bits; from_f32(bits) -> Stored }

template <>
struct Element<DType::F64> {
  using Stored = std::uint64_t;
  static std::uint32_t to_f32(Stored stored) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(stored)));
  }
  static Stored from_f32(std::uint32_t f32) {
    return std::bit_cast<Stored>(static_cast<double>(std::bit_cast<float>(f32)));
  }
};

template <>
struct Element<DType::F32> {
  using Stored = std::uint32_t;
  static std::uint32_t to_f32(Stored stored) { return stored; }
  static Stored from_f32(std::uint32_t f32) { return f32; }
};

template <typename StoredAs, auto decode, auto encode>
struct SmallElement {
  using Stored = StoredAs;
  static std::uint32_t to_f32(Stored stored) { return decode(stored); }
  static Stored from_f32(std::uint32_t f32) { return static_cast<Stored>(encode(f32)); }
};

template <typename StoredAs, MiniFormat format>
using MiniElement = SmallElement<StoredAs, &f32_from_mini<format>, &mini_from_f32<format>>;

template <>
struct Element<DType::F16> : MiniElement<std::uint16_t, kF16> {};
template <>
struct Element<DType::BF16> : SmallElement<std::uint16_t, &f32_from_bf16, &bf16_from_f32> {};
template <>
struct Element<DType::F8_E4M3> : MiniElement<std::uint8_t, kE4M3> {};
template <>
struct Element<DType::F8_E5M2> : MiniElement<std::uint8_t, kE5M2> {};
template <>
struct Element<DType::F8_E4M3FNUZ> : MiniElement<std::uint8_t, kE4M3Fnuz> {};
template <>
struct Element<DType::F8_E5M2FNUZ> : MiniElement<std::uint8_t, kE5M2Fnuz> {};
template <>
struct Element<DType::F8_E8M0> : SmallElement<std::uint8_t, &f32_from_e8m0, &e8m0_from_f32> {};

// Elements sit at any address, so they are never pointed at: compilers make plain (vector) loads and stores of these.
template <typename Stored>
Stored load(const std::byte* from, std::size_t index) {
  Stored stored;
  std::memcpy(&stored, from + index * sizeof(Stored), sizeof(Stored));
  return stored;
}

template <typename Stored>
void store(std::byte* to, std::size_t index, Stored stored) {
  std::memcpy(to + index * sizeof(Stored), &stored, sizeof(Stored));
}

}  // namespace ballast::convert
