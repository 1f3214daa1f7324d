#include <array>
#include <optional>
#include <utility>

#include "convert/element.hpp"
#include "convert/kernels.hpp"

namespace ballast::convert {
namespace {

constexpr std::array kFloats{DType::F64,     DType::F32,     DType::F16,         DType::BF16,       DType::F8_E4M3,
                             DType::F8_E5M2, DType::F8_E8M0, DType::F8_E4M3FNUZ, DType::F8_E5M2FNUZ};

// `restrict`: bytes may alias anything, and a loop that must expect its output to be its input is not vectorised.
template <DType from_type, DType to_type>
void convert_each(const std::byte* __restrict from, std::byte* __restrict to, std::size_t elements) {
  using From = Element<from_type>;
  using To = Element<to_type>;
  for (std::size_t i = 0; i != elements; ++i) {
    store(to, i, To::from_f32(From::to_f32(load<typename From::Stored>(from, i))));
  }
}

template <DType from_type, DType to_type>
auto table_of_bytes() {
  std::array<typename Element<to_type>::Stored, 256> table{};
  for (std::size_t i = 0; i != table.size(); ++i) {
    table[i] = Element<to_type>::from_f32(Element<from_type>::to_f32(static_cast<std::uint8_t>(i)));
  }
  return table;
}

template <DType from_type, DType to_type>
void look_up_each(const std::byte* __restrict from, std::byte* __restrict to, std::size_t elements) {
  static const auto table = table_of_bytes<from_type, to_type>();
  const auto* const values = table.data();
  for (std::size_t i = 0; i != elements; ++i) store(to, i, values[load<std::uint8_t>(from, i)]);
}

template <DType from, DType to>
constexpr Kernel kernel_for() {
  if constexpr (from == to) {
    return nullptr;
  } else if constexpr (sizeof(typename Element<from>::Stored) == 1) {
    return &look_up_each<from, to>;
  } else {
    return &convert_each<from, to>;
  }
}

using Row = std::array<Kernel, kFloats.size()>;

template <DType from, std::size_t... to>
constexpr Row row_of_kernels(std::index_sequence<to...>) {
  return {kernel_for<from, kFloats[to]>()...};
}

template <std::size_t... from>
constexpr std::array<Row, kFloats.size()> table_of_kernels(std::index_sequence<from...> all) {
  return {row_of_kernels<kFloats[from]>(all)...};
}

constexpr auto kKernels = table_of_kernels(std::make_index_sequence<kFloats.size()>());

std::optional<std::size_t> index_of(DType dtype) {
  for (std::size_t i = 0; i != kFloats.size(); ++i) {
    if (kFloats[i] == dtype) return i;
  }
  return std::nullopt;
}

}  // namespace

Kernel float_kernel(DType from, DType to) noexcept {
  const auto row = index_of(from);
  const auto column = index_of(to);
  return row && column ? kKernels[*row][*column] : nullptr;
}

}  // namespace ballast::convert
