// Moving units between memory with strides on both sides.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ballast::execution {

// A loop of a move; strides count bytes.
struct MoveLoop {
  std::uint64_t count = 1;
  std::uint64_t src_stride = 0;
  std::uint64_t dst_stride = 0;
};

// Moves units of `unit_bytes` for all combinations of two loops, `inner` the one that runs along the source. Goes
// tile by tile, so that a cache line of either side is fetched once even where one side's lines run across the other's.
void move_units(const std::byte* src, std::byte* dst, std::uint64_t unit_bytes, const MoveLoop& outer,
                const MoveLoop& inner);

}  // namespace ballast::execution
