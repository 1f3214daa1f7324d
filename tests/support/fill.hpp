// Contents for tensors whose values a test does not care about, but whose bytes must not be mistaken for another's.
#pragma once

#include <cstdint>
#include <string>

#include "ballast/dtype.hpp"
#include "ballast/shape.hpp"

namespace ballast::test {

// As many bytes as dtype and shape say, from a fixed sequence that `seed` selects.
[[nodiscard]] std::string fill_bytes(DType dtype, const Shape& shape, std::uint64_t seed);

}  // namespace ballast::test
