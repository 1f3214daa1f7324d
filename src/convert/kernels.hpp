// What find_kernel chooses from: one function a family of kernels, null where the family has no such pair.
#pragma once

#include "ballast/dtype.hpp"
#include "convert/convert.hpp"

namespace ballast::convert {

[[nodiscard]] Kernel copy_kernel(DType dtype) noexcept;
[[nodiscard]] Kernel float_kernel(DType from, DType to) noexcept;       // between different floating types
[[nodiscard]] Kernel dequantise_kernel(DType from, DType to) noexcept;  // from GGML blocks to floating types

}  // namespace ballast::convert
