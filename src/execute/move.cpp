#include "execute/move.hpp"

#include <algorithm>
#include <cstring>

#include "execute/transpose.hpp"

namespace ballast::execution {
namespace {

constexpr std::size_t kTileBytes = 128;  // of a line of a tile: what a processor fetches together

// One full tile through a buffer of its own: its source lines are read along, its target lines written along. Strides
// that are large powers of two, as those of weights are, would otherwise evict lines before they are used up. Units of
// a target line may lie apart, as where two sources alternate in it; what lies between them is another copy's, perhaps
// on another thread, and is not touched.
template <std::size_t unit>
void transpose_tile(const std::byte* src, std::uint64_t src_stride, std::byte* dst, const MoveLoop& line,
                    std::uint64_t dst_stride) {
  using Square = SquareTransposer<unit>;
  constexpr std::size_t kSide = kTileBytes / unit;
  alignas(kTileBytes) std::byte tile[kSide][kTileBytes];
  for (std::size_t row = 0; row != kSide; row += Square::kSide)
    for (std::size_t column = 0; column != kSide; column += Square::kSide)
      Square::transpose(src + row * src_stride + column * unit, src_stride, tile[column] + row * unit, kTileBytes);
  if (line.dst_stride == unit) {
    for (std::size_t column = 0; column != kSide; ++column)
      std::memcpy(dst + column * dst_stride, tile[column], kTileBytes);
    return;
  }
  for (std::size_t column = 0; column != kSide; ++column)
    for (std::size_t i = 0; i != kSide; ++i)
      std::memcpy(dst + column * dst_stride + i * line.dst_stride, tile[column] + i * unit, unit);
}

template <std::size_t unit>
void move_tile(const std::byte* src, std::byte* dst, const MoveLoop& outer, const MoveLoop& inner) {
  for (std::uint64_t column = 0; column != inner.count; ++column)
    for (std::uint64_t row = 0; row != outer.count; ++row)
      std::memcpy(dst + column * inner.dst_stride + row * outer.dst_stride,
                  src + column * inner.src_stride + row * outer.src_stride, unit);
}

template <std::size_t unit>
void move_tiles(const std::byte* src, std::byte* dst, const MoveLoop& outer, const MoveLoop& inner) {
  constexpr std::size_t kSide = kTileBytes / unit;
  constexpr std::uint64_t kApart = 4;  // beyond it the lines of either side are no longer worth a tile
  const bool along = inner.src_stride == unit && outer.dst_stride <= kApart * unit;
  // Columns outside: a whole band of the target is finished before the next is begun.
  for (std::uint64_t column = 0; column < inner.count; column += kSide) {
    const std::uint64_t columns = std::min<std::uint64_t>(kSide, inner.count - column);
    for (std::uint64_t row = 0; row < outer.count; row += kSide) {
      const std::uint64_t rows = std::min<std::uint64_t>(kSide, outer.count - row);
      const std::byte* const from = src + row * outer.src_stride + column * inner.src_stride;
      std::byte* const to = dst + row * outer.dst_stride + column * inner.dst_stride;
      if (along && rows == kSide && columns == kSide)
        transpose_tile<unit>(from, outer.src_stride, to, outer, inner.dst_stride);
      else
        move_tile<unit>(from, to, {rows, outer.src_stride, outer.dst_stride},
                        {columns, inner.src_stride, inner.dst_stride});
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
  move_tiles<unit>(src, dst, outer, inner);
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
