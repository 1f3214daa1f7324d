#include "convert/kernels.hpp"

namespace ballast::convert {

Kernel find_kernel(DType from, DType to) noexcept {
  if (from == to) return copy_kernel(from);
  if (const Kernel kernel = float_kernel(from, to)) return kernel;
  return dequantise_kernel(from, to);
}

}  // namespace ballast::convert
