// Where the tensors of one file lie: what both formats ask of their extents.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ballast/error.hpp"
#include "ballast/tensor_info.hpp"

namespace ballast {

// The part of a file that holds tensor data.
struct DataSection {
  std::uint64_t begin = 0;       // bytes from the start of the file; may lie beyond its end
  std::uint64_t file_bytes = 0;  // of the whole file
  std::uint64_t alignment = 1;   // a tensor begins at the next multiple of it, counted from `begin`
};

// `value` rounded up to a multiple of `alignment`, which is not 0. Nothing where that overflows.
[[nodiscard]] std::optional<std::uint64_t> align_up(std::uint64_t value, std::uint64_t alignment) noexcept;

// By offset, then by size, so that an empty tensor comes before the one that begins where it lies, then by name.
void sort_by_extent(std::vector<TensorInfo>& tensors);

// Adds a fault for each tensor that overlaps one before it or leaves a hole after it, for data that ends before its
// tensors do, and for bytes after the last one. `tensors` is sorted; its offsets count from the data's begin.
void check_extents(std::span<const TensorInfo> tensors, const DataSection& data, const std::string& path,
                   Diagnostics& faults);

}  // namespace ballast
