// Element conversions, one contiguous run at a time: the kernels that placing calls on staged bytes.
#pragma once

#include <cstddef>

#include "ballast/dtype.hpp"

namespace ballast::convert {

// Converts `elements` elements stored as one type at `from` into another at `to`. For block types `elements` is a
// multiple of the block and `from` starts at a block. Neither pointer need be aligned. The ranges do not overlap.
// Rounding is to nearest, ties to even. NaN stays NaN (the sign and, where it fits, the payload are kept; a quiet NaN
// results) and infinity stays infinity; where the target has no infinity, what torch's cast gives is what we give.
using Kernel = void (*)(const std::byte* from, std::byte* to, std::size_t elements);

// The kernel for a pair of types; null where there is none. Equal types give a plain copy (also for block types).
// There are kernels between all pairs of F64, F32, F16, BF16 and the five float8 types, and from Q4_0, Q4_1, Q5_0, Q5_1
// and Q8_0 to F32, F16 and BF16 (computed in F32 as ggml's reference does, then rounded).
[[nodiscard]] Kernel find_kernel(DType from, DType to) noexcept;

}  // namespace ballast::convert
