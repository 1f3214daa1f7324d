#include <array>
#include <cstring>
#include <utility>

#include "convert/kernels.hpp"

namespace ballast::convert {
namespace {

template <DType dtype>
void copy(const std::byte* from, std::byte* to, std::size_t elements) {
  const DTypeInfo& type = info(dtype);
  const std::size_t bytes = elements / type.block_elements * type.block_bytes;
  if (bytes != 0) std::memcpy(to, from, bytes);  // memcpy may not be given null, not even for nothing
}

template <std::size_t... index>
constexpr auto table_of_copies(std::index_sequence<index...>) {
  return std::array<Kernel, sizeof...(index)>{&copy<static_cast<DType>(index)>...};
}

constexpr auto kCopies = table_of_copies(std::make_index_sequence<kDTypeCount>());

}  // namespace

Kernel copy_kernel(DType dtype) noexcept {
  const auto index = static_cast<std::size_t>(dtype);
  return index < kCopies.size() ? kCopies[index] : nullptr;
}

}  // namespace ballast::convert
