// Digests of tensors: sha256 of the row-major bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "ballast/tensor.hpp"

namespace ballast {

// "sha256:<hex>"
[[nodiscard]] std::string sha256(std::span<const std::byte> bytes);
// Of a contiguous tensor in host memory.
[[nodiscard]] std::string digest(const Tensor& tensor);

}  // namespace ballast
