// A recipe evaluated into copies, and these copies run one element at a time over the numbers of their source elements.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <span>
#include <vector>

#include "ballast/plan.hpp"

namespace ballast {

// For the messages of failed expectations.
inline void PrintTo(const CopyDim& dim, std::ostream* out) {
  *out << "{" << dim.count << ", " << dim.src_stride << ", " << dim.dst_stride << "}";
}

}  // namespace ballast

namespace ballast::test {

struct Emitted {
  Plan plan;  // scratch, steps and the copies out of scratch
  std::vector<Copy> copies;
  TensorSpec spec;
};

// Dependency d of the recipe, element e, is stored tensor d + e.
[[nodiscard]] Emitted emit(const Recipe& recipe);

// Dependency number `source`, a single.
[[nodiscard]] inline Recipe stored(std::uint32_t source, const Shape& shape, DType dtype = DType::F32) {
  return Recipe::source(source, 0, {dtype, shape});
}

[[nodiscard]] std::vector<CopyDim> loops_of(const Copy& copy);

struct Placed {
  std::vector<std::uint64_t> elements;  // by place in the target; kUnwritten where no copy went
  std::uint64_t written_again = 0;      // places to which more than one element went
  std::uint64_t out_of_range = 0;
  static constexpr std::uint64_t kUnwritten = ~std::uint64_t{0};
};
[[nodiscard]] Placed run(std::span<const Copy> copies, std::uint64_t target_elements);

// Every element of the target is written once, and these are the elements.
[[nodiscard]] testing::AssertionResult places(const Emitted& emitted, std::span<const std::uint64_t> elements);

// The loops are what plan.hpp promises: none of count 1, by source stride, merged where contiguous on both sides.
[[nodiscard]] testing::AssertionResult is_normalised(const Copy& copy);

}  // namespace ballast::test
