#include "execute/move.hpp"

#include <algorithm>
#include <cstring>

namespace ballast::execution {
namespace {

constexpr std::size_t kCacheLine = 64;

// One tile through a buffer of its own: its source lines are read along, its target lines written along. Strides that
// are large powers of two, as those of weights are, would otherwise evict the lines of a tile before they are used up.
template <std::size_t unit, bool along>
void move_tile(const std::byte* src, std::byte* dst, std::uint64_t rows, std::uint64_t columns, const MoveLoop& outer,
               const MoveLoop& inner) {
  constexpr std::size_t kSide = kCacheLine / unit;
  const std::uint64_t src_step = along ? unit : inner.src_stride;
  const std::uint64_t dst_step = along ? unit : outer.dst_stride;
  std::byte tile[kSide][kSide * unit];
  for (std::uint64_t row = 0; row != rows; ++row) {
    const std::byte* from = src + row * outer.src_stride;
    if (along && columns == kSide) {
      std::memcpy(tile[row], from, kSide * unit);
      continue;
    }
    for (std::uint64_t column = 0; column != columns; ++column)
      std::memcpy(tile[row] + column * unit, from + column * src_step, unit);
  }
  for (std::uint64_t column = 0; column != columns; ++column) {
    std::byte* to = dst + column * inner.dst_stride;
    if (along && rows == kSide) {
      std::byte line[kSide * unit];
      for (std::size_t row = 0; row != kSide; ++row) std::memcpy(line + row * unit, tile[row] + column * unit, unit);
      std::memcpy(to, line, kSide * unit);
      continue;
    }
    for (std::uint64_t row = 0; row != rows; ++row) std::memcpy(to + row * dst_step, tile[row] + column * unit, unit);
  }
}

template <std::size_t unit, bool along>
void move_tiles(const std::byte* src, std::byte* dst, const MoveLoop& outer, const MoveLoop& inner) {
  constexpr std::size_t kSide = kCacheLine / unit;
  // Columns outside: a whole band of the target is finished before the next is begun.
  for (std::uint64_t column = 0; column < inner.count; column += kSide) {
    const std::uint64_t columns = std::min<std::uint64_t>(kSide, inner.count - column);
    for (std::uint64_t row = 0; row < outer.count; row += kSide) {
      const std::uint64_t rows = std::min<std::uint64_t>(kSide, outer.count - row);
      move_tile<unit, along>(src + row * outer.src_stride + column * inner.src_stride,
                             dst + row * outer.dst_stride + column * inner.dst_stride, rows, columns, outer, inner);
    }
  }
}

template <std::size_t unit>
void move_line(const std::byte* src, std::byte* dst, const MoveLoop& loop) {
  for (std::uint64_t i = 0; i != loop.count; ++i)
    std::memcpy(dst + i * loop.dst_stride, src + i * loop.src_stride, unit);
}

template <std::size_t unit>
void move_fixed(const std::byte* src, std::byte* dst, const MoveLoop& outer, const MoveLoop& inner) {
  if (outer.count == 1) return move_line<unit>(src, dst, inner);
  if (inner.count == 1) return move_line<unit>(src, dst, outer);
  if (inner.src_stride == unit && outer.dst_stride == unit) return move_tiles<unit, true>(src, dst, outer, inner);
  move_tiles<unit, false>(src, dst, outer, inner);
}

}  // namespace

void move_units(const std::byte* src, std::byte* dst, std::uint64_t unit_bytes, const MoveLoop& outer,
                const MoveLoop& inner) {
  switch (unit_bytes) {
    case 1:
      return move_fixed<1>(src, dst, outer, inner);
    case 2:
      return move_fixed<2>(src, dst, outer, inner);
    case 4:
      return move_fixed<4>(src, dst, outer, inner);
    case 8:
      return move_fixed<8>(src, dst, outer, inner);
    default:
      for (std::uint64_t row = 0; row != outer.count; ++row)
        for (std::uint64_t column = 0; column != inner.count; ++column)
          std::memcpy(dst + row * outer.dst_stride + column * inner.dst_stride,
                      src + row * outer.src_stride + column * inner.src_stride, unit_bytes);
  }
}

}  // namespace ballast::execution
