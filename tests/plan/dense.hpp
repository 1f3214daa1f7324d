// Recipes computed the plain way: tensors that list the number of every element, and operations that go index by index.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ballast/shape.hpp"

namespace ballast::test {

// The number that stands for one element of one stored tensor.
[[nodiscard]] constexpr std::uint64_t element_number(std::uint32_t source, std::uint64_t element) {
  return (std::uint64_t{source} << 40) + element;
}

struct Dense {
  Shape shape;
  std::vector<std::uint64_t> elements;  // row-major

  [[nodiscard]] std::uint64_t at(std::span<const std::uint64_t> index) const;
};

// All elements of a stored tensor.
[[nodiscard]] Dense dense_source(std::uint32_t source, const Shape& shape);
// Some of its rows, in this order; all that is not the first axis counts as one row.
[[nodiscard]] std::vector<std::uint64_t> rows_of(std::uint32_t source, std::uint64_t row_elements,
                                                 std::span<const std::uint64_t> rows);

[[nodiscard]] Dense dense_concat(std::size_t axis, std::span<const Dense> operands);
[[nodiscard]] Dense dense_stack(std::span<const Dense> operands, std::size_t axis);
[[nodiscard]] Dense dense_slice(const Dense& x, std::size_t axis, std::uint64_t begin, std::uint64_t end);
[[nodiscard]] Dense dense_reshape(const Dense& x, const Shape& shape);
[[nodiscard]] Dense dense_permute(const Dense& x, std::span<const std::uint64_t> order);
[[nodiscard]] Dense dense_interleave(std::size_t axis, std::span<const Dense> operands);
// Deals the chunks out one after the other, as the convention says it.
[[nodiscard]] Dense dense_shard(const Dense& x, std::size_t axis, std::uint64_t rank, std::uint64_t ranks,
                                std::uint64_t granularity);

}  // namespace ballast::test
