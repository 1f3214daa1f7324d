// The scalar core of the conversions between floating types: a stored pattern to the bits of the F32 it stands for, and
// the bits of an F32 to a stored pattern.
//
// Everything meets in F32 because that is where PyTorch's casts meet, and their results are what ours must equal. F32
// holds every value of the smaller types, so this costs nothing except for F64: a cast from F64 to a type smaller than
// F32 rounds twice, first to F32. A value just beyond a tie (1 + 2^-11 + 2^-40 to F16) can so end up on the other side
// than a single rounding would put it. All of PyTorch's CPU paths (single elements, vectors, strided) agree on this.
//
// Beyond the largest value PyTorch (2.15) gives, and so do we:
//   F16, BF16, F8_E5M2   infinity
//   F8_E4M3              the largest value, 448, with the sign; also for infinity, which the type does not have. (Older
//                        releases of PyTorch gave NaN.)
//   F8_E4M3FNUZ, _E5M2FNUZ   NaN, which has one pattern without a sign; also for infinity. Zero has no sign either.
//   F8_E8M0              NaN (0xFF), also for infinity. It has no sign and no zero: a sign is dropped, and zero, like
//   all
//                        that is too small, gives the smallest value, 2^-127.
//
// No branches and no shifts by a variable amount, so that compilers can vectorise the loops for any instruction set.
// The F32 arithmetic neither takes nor gives subnormals that matter, so that flush-to-zero modes change nothing between
// F32 and smaller types; casts to and from F64 are the machine's own. Rounding mode: the default.
#pragma once

#include <bit>
#include <cstdint>

namespace ballast::convert {

// A type smaller than F32 with a sign bit, then `exponent` bits, then `mantissa` bits. The rest are patterns without
// the sign bit.
struct MiniFormat {
  int exponent;
  int mantissa;
  int bias;
  int largest;   // the largest finite value
  int overflow;  // what a greater one becomes
  int infinity;  // 0: there is none
  int nan;
  int nan_payload;  // the bits of a NaN's pattern that are kept from the source
  bool signed_zero;
};

inline constexpr MiniFormat kF16{5, 10, 15, 0x7BFF, 0x7C00, 0x7C00, 0x7E00, 0x01FF, true};
inline constexpr MiniFormat kE4M3{4, 3, 7, 0x7E, 0x7E, 0, 0x7F, 0, true};
inline constexpr MiniFormat kE5M2{5, 2, 15, 0x7B, 0x7C, 0x7C, 0x7F, 0, true};
// The pattern that would be -0 is the only NaN: "beyond the last magnitude" in the arithmetic below.
inline constexpr MiniFormat kE4M3Fnuz{4, 3, 8, 0x7F, 0x80, 0, 0x80, 0, false};
inline constexpr MiniFormat kE5M2Fnuz{5, 2, 16, 0x7F, 0x80, 0, 0x80, 0, false};

inline constexpr std::uint32_t kSignF32 = 0x8000'0000;
inline constexpr std::int32_t kInfinityF32 = 0x7F80'0000;
inline constexpr std::int32_t kQuietF32 = 0x0040'0000;

// Magnitudes are held as signed numbers: SSE2 has no unsigned comparison.
inline std::int32_t magnitude_of(std::uint32_t f32) { return static_cast<std::int32_t>(f32 & ~kSignF32); }

// `a < b ? yes : no` of numbers that are not negative. gcc makes a branch of `?:` where one side is floating-point
// arithmetic, and of comparisons turned into masks too, and then does not vectorise.
inline std::int32_t if_below(std::int32_t a, std::int32_t b, std::int32_t yes, std::int32_t no) {
  const std::int32_t mask = (a - b) >> 31;
  return (yes & mask) | (no & ~mask);
}

constexpr float power_of_two(int exponent) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(exponent + 127) << 23);
}

template <MiniFormat format>
std::uint32_t mini_from_f32(std::uint32_t f32) {
  constexpr int shift = 23 - format.mantissa;
  constexpr std::int32_t exponent_gap = (127 - format.bias) << 23;
  constexpr std::int32_t smallest_normal = exponent_gap + (1 << 23);
  // A float whose last bit weighs what the last bit of a subnormal of the target does: adding it rounds to that bit.
  constexpr float ruler = power_of_two(1 - format.bias - format.mantissa + 23);
  constexpr int width = 1 + format.exponent + format.mantissa;

  const std::int32_t magnitude = magnitude_of(f32);
  const std::int32_t odd = (magnitude >> shift) & 1;
  const std::int32_t normal = (magnitude - exponent_gap + (1 << (shift - 1)) - 1 + odd) >> shift;
  const std::int32_t subnormal =
      std::bit_cast<std::int32_t>(std::bit_cast<float>(magnitude) + ruler) - std::bit_cast<std::int32_t>(ruler);
  std::int32_t code = if_below(magnitude, smallest_normal, subnormal, normal);
  code = if_below(format.largest, code, format.overflow, code);
  code = if_below(kInfinityF32, magnitude, format.nan | ((magnitude >> shift) & format.nan_payload), code);
  std::uint32_t sign = (f32 & kSignF32) >> (32 - width);
  if constexpr (!format.signed_zero) sign = code == 0 ? 0 : sign;
  return sign | static_cast<std::uint32_t>(code);
}

template <MiniFormat format>
std::uint32_t f32_from_mini(std::uint32_t stored) {
  constexpr int shift = 23 - format.mantissa;
  constexpr std::int32_t exponent_gap = (127 - format.bias) << 23;
  constexpr int width = 1 + format.exponent + format.mantissa;
  constexpr std::uint32_t sign_bit = 1U << (width - 1);
  constexpr float subnormal_unit = power_of_two(1 - format.bias - format.mantissa);

  const std::int32_t code = static_cast<std::int32_t>(stored & (sign_bit - 1));
  const std::int32_t normal = (code << shift) + exponent_gap;
  const std::int32_t subnormal = std::bit_cast<std::int32_t>(static_cast<float>(code) * subnormal_unit);
  std::int32_t magnitude = if_below(code, 1 << format.mantissa, subnormal, normal);
  if constexpr (format.infinity != 0) {
    static_assert(format.exponent == 5 && format.bias == 15, "the gap, once more, makes the exponent all ones");
    magnitude = if_below(code, format.infinity, magnitude, normal + exponent_gap);
    magnitude = if_below(format.infinity, code, magnitude | kQuietF32, magnitude);
  } else if constexpr (format.signed_zero) {
    magnitude = code == format.nan ? kInfinityF32 | kQuietF32 : magnitude;
  } else {
    magnitude = stored == sign_bit ? kInfinityF32 | kQuietF32 : magnitude;
  }
  return ((stored & sign_bit) << (32 - width)) | static_cast<std::uint32_t>(magnitude);
}

inline std::uint32_t bf16_from_f32(std::uint32_t f32) {
  const std::uint32_t odd = (f32 >> 16) & 1;
  const std::uint32_t rounded = (f32 + 0x7FFF + odd) >> 16;
  const std::uint32_t nan = (f32 >> 16) | (kQuietF32 >> 16);
  return magnitude_of(f32) > kInfinityF32 ? nan : rounded;
}

inline std::uint32_t f32_from_bf16(std::uint32_t stored) {
  const std::uint32_t f32 = stored << 16;
  return magnitude_of(f32) > kInfinityF32 ? f32 | kQuietF32 : f32;
}

// The exponent of an F32, one more where its mantissa is 1.5 or greater. F32's subnormals are below exponent 1 and have
// no leading one: half way up there is 2^-127, a value of the type, and only what is above it becomes 2^-126.
inline std::uint32_t e8m0_from_f32(std::uint32_t f32) {
  const std::int32_t magnitude = magnitude_of(f32);
  const std::int32_t half = 0x0040'0000;
  const std::int32_t subnormal_tie = if_below(half, magnitude, 0, 1);
  const std::uint32_t carried = (f32 & ~kSignF32) + static_cast<std::uint32_t>(half - subnormal_tie);
  return static_cast<std::uint32_t>(if_below(magnitude, kInfinityF32, static_cast<std::int32_t>(carried >> 23), 0xFF));
}

inline std::uint32_t f32_from_e8m0(std::uint32_t stored) {
  const std::uint32_t normal = stored << 23;
  const std::uint32_t at_least_smallest = stored == 0 ? 0x0040'0000 : normal;
  return stored == 0xFF ? static_cast<std::uint32_t>(kInfinityF32 | kQuietF32) : at_least_smallest;
}

}  // namespace ballast::convert
