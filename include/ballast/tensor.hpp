// Tensors in memory, described the way DLPack describes them (github.com/dmlc/dlpack, dlpack.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "ballast/dtype.hpp"
#include "ballast/shape.hpp"

namespace ballast {

enum class DeviceKind : std::int32_t { cpu = 1, cuda = 2 };  // DLPack's numbers

struct Device {
  DeviceKind kind = DeviceKind::cpu;
  std::int32_t id = 0;
  friend bool operator==(const Device&, const Device&) = default;
};
[[nodiscard]] std::string to_string(Device device);  // "cpu", "cuda:1"

// DLPack's DLDataType.
struct DLType {
  std::uint8_t code = 0;
  std::uint8_t bits = 0;
  std::uint16_t lanes = 1;
};
// Block-quantised types have no DLPack type: opaque bytes (code 1, 8 bits).
[[nodiscard]] DLType dl_type(DType dtype) noexcept;

// A view: whoever hands it out says how long the memory lives. Strides count elements, as in DLPack; for block types
// and for what Ballast itself makes they are those of a contiguous row-major tensor.
struct Tensor {
  void* data = nullptr;
  DType dtype = DType::F32;
  Shape shape;
  Shape strides;
  Device device;

  [[nodiscard]] std::uint64_t nbytes() const noexcept;  // of the elements, had they no gaps
  [[nodiscard]] bool is_contiguous() const noexcept;    // row-major without gaps
  template <class T>
  [[nodiscard]] T* as() const noexcept {
    return static_cast<T*>(data);
  }
};
[[nodiscard]] Tensor contiguous_tensor(void* data, DType dtype, const Shape& shape, Device device = {});

// A finished parameter: a tensor, its auxiliary tensors, and what keeps their memory alive. It may hold nothing (a bias
// that lives on another rank).
class InferenceParameter {
 public:
  InferenceParameter() = default;  // holds nothing
  // `owner` keeps the memory of all tensors alive; it may be empty when the caller promises that.
  InferenceParameter(Tensor tensor, std::shared_ptr<const void> owner)
      : tensor_(tensor), owner_(std::move(owner)), has_tensor_(true) {}

  [[nodiscard]] bool has_tensor() const noexcept { return has_tensor_; }
  [[nodiscard]] const Tensor& tensor() const noexcept { return tensor_; }
  [[nodiscard]] const std::map<std::string, Tensor, std::less<>>& aux() const noexcept { return aux_; }
  // Throws Error(aux_clash) where the name is taken.
  void add_aux(std::string name, Tensor tensor);
  [[nodiscard]] const std::shared_ptr<const void>& owner() const noexcept { return owner_; }

 private:
  Tensor tensor_;
  std::map<std::string, Tensor, std::less<>> aux_;
  std::shared_ptr<const void> owner_;
  bool has_tensor_ = false;
};

}  // namespace ballast
