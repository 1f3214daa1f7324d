#include "formats/gguf_types.hpp"

#include <array>

namespace ballast {
namespace {

struct GgmlType {
  std::uint32_t id;
  DType dtype;
};

constexpr std::array<GgmlType, 34> kTypes{{
    {0, DType::F32},     {1, DType::F16},      {2, DType::Q4_0},   {3, DType::Q4_1},    {6, DType::Q5_0},
    {7, DType::Q5_1},    {8, DType::Q8_0},     {9, DType::Q8_1},   {10, DType::Q2_K},   {11, DType::Q3_K},
    {12, DType::Q4_K},   {13, DType::Q5_K},    {14, DType::Q6_K},  {15, DType::Q8_K},   {16, DType::IQ2_XXS},
    {17, DType::IQ2_XS}, {18, DType::IQ3_XXS}, {19, DType::IQ1_S}, {20, DType::IQ4_NL}, {21, DType::IQ3_S},
    {22, DType::IQ2_S},  {23, DType::IQ4_XS},  {24, DType::I8},    {25, DType::I16},    {26, DType::I32},
    {27, DType::I64},    {28, DType::F64},     {29, DType::IQ1_M}, {30, DType::BF16},   {34, DType::TQ1_0},
    {35, DType::TQ2_0},  {39, DType::MXFP4},   {40, DType::NVFP4}, {41, DType::Q1_0},
}};

struct RemovedType {
  std::uint32_t id;
  std::string_view name;
};

constexpr std::array<RemovedType, 8> kRemoved{{
    {4, "Q4_2"},
    {5, "Q4_3"},
    {31, "Q4_0_4_4"},
    {32, "Q4_0_4_8"},
    {33, "Q4_0_8_8"},
    {36, "IQ4_NL_4_4"},
    {37, "IQ4_NL_4_8"},
    {38, "IQ4_NL_8_8"},
}};

}  // namespace

std::optional<DType> dtype_from_ggml(std::uint32_t id) noexcept {
  for (const GgmlType& type : kTypes)
    if (type.id == id) return type.dtype;
  return std::nullopt;
}

std::string_view removed_ggml_type(std::uint32_t id) noexcept {
  for (const RemovedType& type : kRemoved)
    if (type.id == id) return type.name;
  return {};
}

std::uint64_t smallest_bytes(GgufValueType type) noexcept {
  switch (type) {
    case GgufValueType::u8:
    case GgufValueType::i8:
    case GgufValueType::boolean:
      return 1;
    case GgufValueType::u16:
    case GgufValueType::i16:
      return 2;
    case GgufValueType::u32:
    case GgufValueType::i32:
    case GgufValueType::f32:
      return 4;
    case GgufValueType::u64:
    case GgufValueType::i64:
    case GgufValueType::f64:
    case GgufValueType::string:
      return 8;  // the length of an empty one
    case GgufValueType::array:
      return 12;  // the type and the count of an empty one
  }
  return 1;
}

}  // namespace ballast
