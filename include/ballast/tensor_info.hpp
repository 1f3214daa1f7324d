// What a header says about one stored tensor.
#pragma once

#include <cstdint>
#include <string>

#include "ballast/dtype.hpp"
#include "ballast/shape.hpp"

namespace ballast {

struct TensorInfo {
  std::string name;
  DType dtype = DType::F32;
  Shape shape;               // row-major, outermost first (GGUF's order is turned round on reading)
  std::uint32_t file = 0;    // index into the catalog's files
  std::uint64_t offset = 0;  // bytes from the start of the file; no alignment is promised
  std::uint64_t nbytes = 0;  // equals shape x dtype: validated when the header was read
};

}  // namespace ballast
