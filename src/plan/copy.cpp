#include <algorithm>

#include "ballast/plan.hpp"

namespace ballast {

namespace {

// One past the last source element that a copy touches, counted from its first.
std::uint64_t source_span(const Copy& copy) noexcept {
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < copy.n_dims; ++i) last += (copy.dims[i].count - 1) * copy.dims[i].src_stride;
  return last + 1;
}

}  // namespace

std::uint64_t Copy::elements() const noexcept {
  std::uint64_t count = 1;
  for (std::size_t i = 0; i < n_dims; ++i) count *= dims[i].count;
  return count;
}

std::uint64_t Copy::run_elements() const noexcept {
  return n_dims > 0 && dims[n_dims - 1U].src_stride == 1 ? dims[n_dims - 1U].count : 1;
}

bool Copy::run_is_contiguous_in_target() const noexcept {
  return run_elements() == 1 || dims[n_dims - 1U].dst_stride == 1;
}

std::uint64_t Copy::file_begin() const noexcept {
  const DTypeInfo& type = info(from);
  return src_base + src_begin / type.block_elements * type.block_bytes;
}

std::uint64_t Copy::file_end() const noexcept {
  const DTypeInfo& type = info(from);
  const std::uint64_t last = src_begin + source_span(*this) - 1;
  return src_base + (last / type.block_elements + 1) * type.block_bytes;
}

}  // namespace ballast
