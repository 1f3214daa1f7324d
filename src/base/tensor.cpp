#include "ballast/tensor.hpp"

#include <fmt/format.h>

#include <utility>

#include "ballast/error.hpp"

namespace ballast {

std::string to_string(Device device) {
  return device.kind == DeviceKind::cpu ? std::string("cpu") : fmt::format("cuda:{}", device.id);
}

DLType dl_type(DType dtype) noexcept {
  // DLPack's codes: int 0, uint 1, float 2, bfloat 4, complex 5, bool 6, and from version 1.1 on the small floats.
  constexpr std::uint8_t kInt = 0, kUInt = 1, kFloat = 2, kBFloat = 4, kComplex = 5, kBool = 6;
  switch (dtype) {
    case DType::F64:
      return {kFloat, 64, 1};
    case DType::F32:
      return {kFloat, 32, 1};
    case DType::F16:
      return {kFloat, 16, 1};
    case DType::BF16:
      return {kBFloat, 16, 1};
    case DType::F8_E4M3:
      return {10, 8, 1};
    case DType::F8_E4M3FNUZ:
      return {11, 8, 1};
    case DType::F8_E5M2:
      return {12, 8, 1};
    case DType::F8_E5M2FNUZ:
      return {13, 8, 1};
    case DType::F8_E8M0:
      return {14, 8, 1};
    case DType::F6_E2M3:
      return {15, 6, 1};
    case DType::F6_E3M2:
      return {16, 6, 1};
    case DType::F4:
      return {17, 4, 1};
    case DType::I64:
      return {kInt, 64, 1};
    case DType::I32:
      return {kInt, 32, 1};
    case DType::I16:
      return {kInt, 16, 1};
    case DType::I8:
      return {kInt, 8, 1};
    case DType::U64:
      return {kUInt, 64, 1};
    case DType::U32:
      return {kUInt, 32, 1};
    case DType::U16:
      return {kUInt, 16, 1};
    case DType::BOOL:
      return {kBool, 8, 1};
    case DType::C64:
      return {kComplex, 64, 1};
    default:
      return {kUInt, 8, 1};
  }
}

std::uint64_t Tensor::nbytes() const noexcept { return byte_size(dtype, shape.numel()).value_or(0); }

bool Tensor::is_contiguous() const noexcept {
  if (shape.rank() != strides.rank()) return false;
  if (shape.numel() == 0) return true;
  std::uint64_t expected = 1;
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    // The stride of an axis of extent 1 is never used.
    if (shape[axis] != 1 && strides[axis] != expected) return false;
    expected *= shape[axis];
  }
  return true;
}

Tensor contiguous_tensor(void* data, DType dtype, const Shape& shape, Device device) {
  Tensor tensor{data, dtype, shape, shape, device};
  std::uint64_t stride = 1;
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    tensor.strides[axis] = stride;
    stride *= shape[axis];
  }
  return tensor;
}

void InferenceParameter::add_aux(std::string name, Tensor tensor) {
  if (aux_.find(name) == aux_.end()) {
    aux_.emplace(std::move(name), tensor);
    return;
  }
  Diagnostic d;
  d.code = Errc::aux_clash;
  d.operation = "add auxiliary tensor";
  d.what = fmt::format("two auxiliary tensors are named '{}'", name);
  d.expected = "a name of its own for each";
  d.got = std::move(name);
  throw Error(std::move(d));
}

}  // namespace ballast
