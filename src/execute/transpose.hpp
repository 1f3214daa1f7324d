// Squares of units, turned round in registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace ballast::execution {

// Bytes of a vector that every machine has registers for.
inline constexpr std::size_t kVectorBytes = 16;

// Written out, because an attribute that depends on a template's parameter does not survive in gcc.
template <std::size_t unit>
struct VectorOf;
template <>
struct VectorOf<1> {
  using Type [[gnu::vector_size(kVectorBytes)]] = std::uint8_t;
};
template <>
struct VectorOf<2> {
  using Type [[gnu::vector_size(kVectorBytes)]] = std::uint16_t;
};
template <>
struct VectorOf<4> {
  using Type [[gnu::vector_size(kVectorBytes)]] = std::uint32_t;
};
template <>
struct VectorOf<8> {
  using Type [[gnu::vector_size(kVectorBytes)]] = std::uint64_t;
};

template <std::size_t unit>
class SquareTransposer {
 public:
  static constexpr std::size_t kSide = kVectorBytes / unit;

  // A square of kSide x kSide units; strides in bytes between its rows on either side.
  static void transpose(const std::byte* src, std::size_t src_stride, std::byte* dst, std::size_t dst_stride) {
    Rows rows;
    for (std::size_t i = 0; i != kSide; ++i) std::memcpy(&rows.row[i], src + i * src_stride, kVectorBytes);
    // Interleaving row i with row i + kSide / 2 moves one bit of the column number into the row number; as often as
    // there are bits, and rows and columns have changed places.
    for (std::size_t step = 1; step != kSide; step *= 2) rows = interleaved(rows, std::make_index_sequence<kSide>());
    for (std::size_t i = 0; i != kSide; ++i) std::memcpy(dst + i * dst_stride, &rows.row[i], kVectorBytes);
  }

 private:
  using Vector = typename VectorOf<unit>::Type;
  struct Rows {
    Vector row[kSide];
  };

  template <std::size_t... lane>
  static Rows interleaved(const Rows& rows, std::index_sequence<lane...>) {
    Rows result;
    for (std::size_t i = 0; i != kSide / 2; ++i) {
      const Vector a = rows.row[i], b = rows.row[i + kSide / 2];
      result.row[2 * i] = __builtin_shufflevector(a, b, (lane % 2 * kSide + lane / 2)...);
      result.row[2 * i + 1] = __builtin_shufflevector(a, b, (lane % 2 * kSide + lane / 2 + kSide / 2)...);
    }
    return result;
  }
};

}  // namespace ballast::execution
