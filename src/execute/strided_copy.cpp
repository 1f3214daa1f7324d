#include "execute/strided_copy.hpp"

#include <string>

#include "ballast/error.hpp"

namespace ballast::execution {
namespace {

Conversion conversion_of(const Copy& copy) {
  Conversion conversion;
  DType from = copy.from;
  const auto cast_to = [&](DType to) {
    const convert::Kernel kernel = convert::find_kernel(from, to);
    if (kernel == nullptr || is_block(to)) {
      Diagnostic fault;
      fault.code = Errc::dtype_unsupported;
      fault.what = "there is no conversion from " + std::string(name(from)) + " to " + std::string(name(to));
      fault.operation = "load";
      throw Error(std::move(fault));
    }
    conversion.kernels[conversion.n] = kernel;
    conversion.result_bytes[conversion.n] = info(to).block_bytes;
    ++conversion.n;
    from = to;
  };
  for (std::size_t i = 0; i != copy.n_via; ++i) cast_to(copy.via[i]);
  cast_to(copy.to);
  return conversion;
}

// The loops of a copy that moves blocks of `elements` as they are, counted in blocks.
void count_blocks(Box& box, std::uint64_t elements) {
  box.src /= elements;
  box.dst /= elements;
  std::uint8_t kept = 0;
  for (std::size_t i = 0; i != box.n_dims; ++i) {
    CopyDim loop = box.dims[i];
    if (loop.src_stride == 1) {
      loop.count /= elements;
    } else {
      loop.src_stride /= elements;
      loop.dst_stride /= elements;
    }
    if (loop.count != 1) box.dims[kept++] = loop;
  }
  box.n_dims = kept;
}

}  // namespace

StridedCopy::StridedCopy(const Copy& copy)
    : src_base(copy.src_base),
      dst_base(copy.dst_base),
      block_bytes(info(copy.from).block_bytes),
      dst_unit_bytes(info(copy.to).block_bytes) {
  whole = {copy.src_begin, copy.dst_begin, copy.n_dims, copy.dims};
  const std::uint32_t elements = info(copy.from).block_elements;
  if (copy.converts()) {
    conversion = conversion_of(copy);
    block_units = elements;
  } else if (elements != 1) {
    count_blocks(whole, elements);
  }
  spans_[whole.n_dims] = 1;
  for (std::size_t i = whole.n_dims; i-- != 0;) {
    const CopyDim& loop = whole.dims[i];
    if (loop.count == 0) {
      empty = true;
      return;
    }
    spans_[i] = spans_[i + 1] + (loop.count - 1) * loop.src_stride;
  }
}

std::uint64_t StridedCopy::run_units() const noexcept {
  std::uint64_t run = 1;
  for (std::size_t n = whole.n_dims; n != 0; --n) {
    const CopyDim& loop = whole.dims[n - 1];
    if (loop.src_stride != run || loop.dst_stride != run) break;
    run *= loop.count;
  }
  return run;
}

Box StridedCopy::box_at(std::size_t dim, std::uint64_t src, std::uint64_t dst) const noexcept {
  Box box;
  box.src = src;
  box.dst = dst;
  box.n_dims = static_cast<std::uint8_t>(whole.n_dims - dim);
  std::copy_n(whole.dims.begin() + static_cast<std::ptrdiff_t>(dim), box.n_dims, box.dims.begin());
  return box;
}

}  // namespace ballast::execution
