// A copy in units, and the boxes of it that lie in a range of its source.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "ballast/plan.hpp"
#include "convert/convert.hpp"

namespace ballast::execution {

// A rectangular part of a copy: all combinations of its loops. Offsets and strides count units.
struct Box {
  std::uint64_t src = 0;
  std::uint64_t dst = 0;
  std::uint8_t n_dims = 0;
  std::array<CopyDim, Copy::kMaxDims> dims{};

  [[nodiscard]] std::span<const CopyDim> loops() const noexcept { return {dims.data(), n_dims}; }
};

// Casts in a row; none where bytes are only moved.
struct Conversion {
  std::array<convert::Kernel, 3> kernels{};
  std::array<std::uint32_t, 3> result_bytes{};  // of one element after each cast
  std::uint8_t n = 0;
};

// A Copy whose loops count units instead of elements. A unit is an element, or a whole block where blocks are moved as
// they are. Where blocks are decoded, `block_units` consecutive units of the source share `block_bytes` bytes;
// everywhere else a unit is a block of its own and `block_units` is 1.
class StridedCopy {
 public:
  // Throws Error(dtype_unsupported) where there is no such conversion.
  explicit StridedCopy(const Copy& copy);

  std::uint64_t src_base = 0;  // bytes
  std::uint64_t dst_base = 0;  // bytes
  std::uint32_t block_units = 1;
  std::uint32_t block_bytes = 1;
  std::uint32_t dst_unit_bytes = 1;
  Conversion conversion;
  Box whole;
  bool empty = false;

  // The bytes of the file that the copy touches, whole blocks.
  [[nodiscard]] std::uint64_t file_begin() const noexcept { return src_base + whole.src / block_units * block_bytes; }
  [[nodiscard]] std::uint64_t file_end() const noexcept {
    return src_base + (whole.src + spans_[0] + block_units - 1) / block_units * block_bytes;
  }
  [[nodiscard]] bool touches(std::uint64_t begin, std::uint64_t end) const noexcept {
    return !empty && file_begin() < end && begin < file_end();
  }
  // The first unit of the block that lies at `offset` of the file. 0 for what lies before the source.
  [[nodiscard]] std::uint64_t unit_at(std::uint64_t offset) const noexcept {
    return offset <= src_base ? 0 : (offset - src_base) / block_bytes * block_units;
  }
  // Units of the innermost runs that are contiguous on both sides.
  [[nodiscard]] std::uint64_t run_units() const noexcept;

  // Calls `visit(box)` for boxes that together are what the copy takes of the source's units [lo, hi). In source
  // order, where the source strides nest.
  template <class Visit>
  void for_each_box(std::uint64_t lo, std::uint64_t hi, Visit&& visit) const {
    if (!empty) split(0, whole.src, whole.dst, lo, hi, visit);
  }

 private:
  template <class Visit>
  void split(std::size_t dim, std::uint64_t src, std::uint64_t dst, std::uint64_t lo, std::uint64_t hi,
             Visit& visit) const;
  [[nodiscard]] Box box_at(std::size_t dim, std::uint64_t src, std::uint64_t dst) const noexcept;

  // Units from the first to one past the last that the loops from `dim` on take.
  std::array<std::uint64_t, Copy::kMaxDims + 1> spans_{};
};

// Descends only into indices that cross an end of the range; those wholly inside stay together in one box.
template <class Visit>
void StridedCopy::split(std::size_t dim, std::uint64_t src, std::uint64_t dst, std::uint64_t lo, std::uint64_t hi,
                        Visit& visit) const {
  if (src >= hi || src + spans_[dim] <= lo) return;
  if (src >= lo && src + spans_[dim] <= hi) return visit(box_at(dim, src, dst));
  const CopyDim& loop = whole.dims[dim];
  const std::uint64_t inner = spans_[dim + 1];
  if (loop.src_stride == 0) {
    for (std::uint64_t i = 0; i != loop.count; ++i) split(dim + 1, src, dst + i * loop.dst_stride, lo, hi, visit);
    return;
  }
  const std::uint64_t stride = loop.src_stride;
  const std::uint64_t first = lo >= src + inner ? (lo - src - inner) / stride + 1 : 0;
  const std::uint64_t end = std::min(loop.count, (hi - src + stride - 1) / stride);
  const std::uint64_t inside = lo > src ? (lo - src + stride - 1) / stride : 0;
  const std::uint64_t inside_end = hi >= src + inner ? std::min(loop.count, (hi - src - inner) / stride + 1) : 0;
  for (std::uint64_t i = first; i < end; ++i) {
    if (i < inside || i >= inside_end) {
      split(dim + 1, src + i * stride, dst + i * loop.dst_stride, lo, hi, visit);
      continue;
    }
    Box box = box_at(dim, src + i * stride, dst + i * loop.dst_stride);
    box.dims[0].count = inside_end - i;
    visit(box);
    i = inside_end - 1;
  }
}

// Calls `visit(src, dst)` for every combination of the loops, the last one running fastest.
template <class Visit>
void for_each_offset(std::span<const CopyDim> loops, std::uint64_t src, std::uint64_t dst, Visit& visit) {
  if (loops.empty()) return visit(src, dst);
  const CopyDim& loop = loops.front();
  if (loops.size() == 1) {
    for (std::uint64_t i = 0; i != loop.count; ++i) visit(src + i * loop.src_stride, dst + i * loop.dst_stride);
    return;
  }
  for (std::uint64_t i = 0; i != loop.count; ++i)
    for_each_offset(loops.subspan(1), src + i * loop.src_stride, dst + i * loop.dst_stride, visit);
}

// Calls `visit(src, units)` for the runs that are contiguous in the source.
template <class Visit>
void for_each_source_run(const Box& box, Visit&& visit) {
  std::uint64_t run = 1;
  std::size_t n = box.n_dims;
  for (; n != 0 && box.dims[n - 1].src_stride == run; --n) run *= box.dims[n - 1].count;
  const auto at = [&](std::uint64_t src, std::uint64_t) { visit(src, run); };
  for_each_offset(box.loops().first(n), box.src, box.dst, at);
}

// Calls `visit(src, dst, units)` for the runs that are contiguous on both sides.
template <class Visit>
void for_each_run(const Box& box, Visit&& visit) {
  std::uint64_t run = 1;
  std::size_t n = box.n_dims;
  for (; n != 0 && box.dims[n - 1].src_stride == run && box.dims[n - 1].dst_stride == run; --n)
    run *= box.dims[n - 1].count;
  const auto at = [&](std::uint64_t src, std::uint64_t dst) { visit(src, dst, run); };
  for_each_offset(box.loops().first(n), box.src, box.dst, at);
}

}  // namespace ballast::execution
