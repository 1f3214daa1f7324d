// GGML's simple block types: 32 elements share a scale d, and with the _1 types an offset m, both F16, little-endian.
//
//   type   bytes  content, in order                         element
//   Q4_0   18     d, 16 bytes of low bits                   d * (q - 8)
//   Q4_1   20     d, m, 16 bytes of low bits                d * q + m
//   Q5_0   22     d, 4 bytes of high bits, 16 of low        d * (q - 16)
//   Q5_1   24     d, m, 4 bytes of high bits, 16 of low     d * q + m
//   Q8_0   34     d, 32 signed bytes                        d * q
//
// Of the bytes of low bits, byte i has element i in its lower half and element i + 16 in its upper. Of the high bits,
// read as one number, bit i belongs to element i.
//
// The results are bit-equal to the reference's, which multiplies and adds in F32, whether or not a compiler fuses the
// two here: d has 11 significant bits and q five, so d * q is exact and the sum is rounded once either way.
#include <array>

#include "convert/element.hpp"
#include "convert/kernels.hpp"

namespace ballast::convert {
namespace {

constexpr std::size_t kBlock = 32;
constexpr std::size_t kHalf = kBlock / 2;

struct BlockFormat {
  bool offset;
  int bits;
  int zero;  // the quantum that stands for zero

  constexpr std::size_t high_bits_at() const { return offset ? 4 : 2; }
  constexpr std::size_t quanta_at() const { return high_bits_at() + (bits == 5 ? 4 : 0); }
  constexpr std::size_t bytes() const { return quanta_at() + (bits == 8 ? kBlock : kHalf); }
};

constexpr BlockFormat kQ4_0{false, 4, 8};
constexpr BlockFormat kQ4_1{true, 4, 0};
constexpr BlockFormat kQ5_0{false, 5, 16};
constexpr BlockFormat kQ5_1{true, 5, 0};
constexpr BlockFormat kQ8_0{false, 8, 0};

float scale_at(const std::byte* at) {
  return std::bit_cast<float>(Element<DType::F16>::to_f32(load<std::uint16_t>(at, 0)));
}

using Quanta = std::array<std::int8_t, kBlock>;

void add_high_bits(const std::byte* high_bits, Quanta& quanta) {
  for (std::size_t byte = 0; byte != kBlock / 8; ++byte) {
    const auto bits = load<std::uint8_t>(high_bits, byte);
    for (std::size_t i = 0; i != 8; ++i) {
      std::int8_t& quantum = quanta[byte * 8 + i];
      quantum = static_cast<std::int8_t>(quantum | ((bits >> i & 1) << 4));
    }
  }
}

template <BlockFormat format>
Quanta quanta_of(const std::byte* block) {
  Quanta quanta;
  const std::byte* const packed = block + format.quanta_at();
  if constexpr (format.bits == 8) {
    std::memcpy(quanta.data(), packed, kBlock);
    return quanta;
  }
  for (std::size_t i = 0; i != kHalf; ++i) {
    const auto pair = load<std::uint8_t>(packed, i);
    quanta[i] = static_cast<std::int8_t>(pair & 0x0F);
    quanta[i + kHalf] = static_cast<std::int8_t>(pair >> 4);
  }
  if constexpr (format.bits == 5) add_high_bits(block + format.high_bits_at(), quanta);
  return quanta;
}

template <BlockFormat format, DType to_type>
void dequantise(const std::byte* __restrict from, std::byte* __restrict to, std::size_t elements) {
  using To = Element<to_type>;
  for (std::size_t first = 0; first + kBlock <= elements; first += kBlock, from += format.bytes()) {
    const Quanta quanta = quanta_of<format>(from);
    const float scale = scale_at(from);
    const float offset = format.offset ? scale_at(from + 2) : 0;
    for (std::size_t i = 0; i != kBlock; ++i) {
      float value = scale * static_cast<float>(quanta[i] - format.zero);
      if constexpr (format.offset) value += offset;
      store(to, first + i, To::from_f32(std::bit_cast<std::uint32_t>(value)));
    }
  }
}

template <BlockFormat format>
Kernel kernel_to(DType to) {
  switch (to) {
    case DType::F32:
      return &dequantise<format, DType::F32>;
    case DType::F16:
      return &dequantise<format, DType::F16>;
    case DType::BF16:
      return &dequantise<format, DType::BF16>;
    default:
      return nullptr;
  }
}

}  // namespace

Kernel dequantise_kernel(DType from, DType to) noexcept {
  switch (from) {
    case DType::Q4_0:
      return kernel_to<kQ4_0>(to);
    case DType::Q4_1:
      return kernel_to<kQ4_1>(to);
    case DType::Q5_0:
      return kernel_to<kQ5_0>(to);
    case DType::Q5_1:
      return kernel_to<kQ5_1>(to);
    case DType::Q8_0:
      return kernel_to<kQ8_0>(to);
    default:
      return nullptr;
  }
}

}  // namespace ballast::convert
