#include "ballast/dtype.hpp"

#include <array>
#include <cstddef>

namespace ballast {
namespace {

using enum DTypeKind;

// In the order of the enumeration, which `table_is_in_order` proves. `values_supported` marks what the conversion
// kernels can turn into another type.
constexpr std::array<DTypeInfo, kDTypeCount> kTable{{
    {DType::F64, "F64", "float64", floating, 1, 8, true},
    {DType::F32, "F32", "float32", floating, 1, 4, true},
    {DType::F16, "F16", "float16", floating, 1, 2, true},
    {DType::BF16, "BF16", "bfloat16", floating, 1, 2, true},
    {DType::F8_E4M3, "F8_E4M3", "float8_e4m3fn", floating, 1, 1, true},
    {DType::F8_E5M2, "F8_E5M2", "float8_e5m2", floating, 1, 1, true},
    {DType::F8_E8M0, "F8_E8M0", "float8_e8m0fnu", floating, 1, 1, true},
    {DType::F8_E4M3FNUZ, "F8_E4M3FNUZ", "float8_e4m3fnuz", floating, 1, 1, true},
    {DType::F8_E5M2FNUZ, "F8_E5M2FNUZ", "float8_e5m2fnuz", floating, 1, 1, true},
    {DType::F6_E2M3, "F6_E2M3", "f6_e2m3", floating, 4, 3, false},
    {DType::F6_E3M2, "F6_E3M2", "f6_e3m2", floating, 4, 3, false},
    {DType::F4, "F4", "float4_e2m1fn_x2", floating, 2, 1, false},
    {DType::I64, "I64", "int64", integer, 1, 8, false},
    {DType::I32, "I32", "int32", integer, 1, 4, false},
    {DType::I16, "I16", "int16", integer, 1, 2, false},
    {DType::I8, "I8", "int8", integer, 1, 1, false},
    {DType::U64, "U64", "uint64", integer, 1, 8, false},
    {DType::U32, "U32", "uint32", integer, 1, 4, false},
    {DType::U16, "U16", "uint16", integer, 1, 2, false},
    {DType::U8, "U8", "uint8", integer, 1, 1, false},
    {DType::BOOL, "BOOL", "bool", boolean, 1, 1, false},
    {DType::C64, "C64", "complex64", complex, 1, 8, false},
    {DType::Q4_0, "Q4_0", "q4_0", quantised, 32, 18, true},
    {DType::Q4_1, "Q4_1", "q4_1", quantised, 32, 20, true},
    {DType::Q5_0, "Q5_0", "q5_0", quantised, 32, 22, true},
    {DType::Q5_1, "Q5_1", "q5_1", quantised, 32, 24, true},
    {DType::Q8_0, "Q8_0", "q8_0", quantised, 32, 34, true},
    // As in ggml's C sources (two halves and 32 bytes); its Python package still counts 40 bytes, of an older layout.
    {DType::Q8_1, "Q8_1", "q8_1", quantised, 32, 36, false},
    {DType::Q2_K, "Q2_K", "q2_k", quantised, 256, 84, false},
    {DType::Q3_K, "Q3_K", "q3_k", quantised, 256, 110, false},
    {DType::Q4_K, "Q4_K", "q4_k", quantised, 256, 144, false},
    {DType::Q5_K, "Q5_K", "q5_k", quantised, 256, 176, false},
    {DType::Q6_K, "Q6_K", "q6_k", quantised, 256, 210, false},
    {DType::Q8_K, "Q8_K", "q8_k", quantised, 256, 292, false},
    {DType::IQ1_S, "IQ1_S", "iq1_s", quantised, 256, 50, false},
    {DType::IQ1_M, "IQ1_M", "iq1_m", quantised, 256, 56, false},
    {DType::IQ2_XXS, "IQ2_XXS", "iq2_xxs", quantised, 256, 66, false},
    {DType::IQ2_XS, "IQ2_XS", "iq2_xs", quantised, 256, 74, false},
    {DType::IQ2_S, "IQ2_S", "iq2_s", quantised, 256, 82, false},
    {DType::IQ3_XXS, "IQ3_XXS", "iq3_xxs", quantised, 256, 98, false},
    {DType::IQ3_S, "IQ3_S", "iq3_s", quantised, 256, 110, false},
    {DType::IQ4_NL, "IQ4_NL", "iq4_nl", quantised, 32, 18, false},
    {DType::IQ4_XS, "IQ4_XS", "iq4_xs", quantised, 256, 136, false},
    {DType::TQ1_0, "TQ1_0", "tq1_0", quantised, 256, 54, false},
    {DType::TQ2_0, "TQ2_0", "tq2_0", quantised, 256, 66, false},
    {DType::MXFP4, "MXFP4", "mxfp4", quantised, 32, 17, false},
    {DType::NVFP4, "NVFP4", "nvfp4", quantised, 64, 36, false},
    {DType::Q1_0, "Q1_0", "q1_0", quantised, 128, 18, false},
}};

constexpr bool table_is_in_order() {
  for (std::size_t i = 0; i < kTable.size(); ++i)
    if (static_cast<std::size_t>(kTable[i].dtype) != i) return false;
  return true;
}
static_assert(table_is_in_order());

struct Alias {
  std::string_view text;
  DType dtype;
};

// What people and configs write beyond the names of the two tables.
constexpr std::array<Alias, 11> kAliases{{
    {"double", DType::F64},
    {"fp64", DType::F64},
    {"float", DType::F32},
    {"fp32", DType::F32},
    {"half", DType::F16},
    {"fp16", DType::F16},
    {"float8_e8m0", DType::F8_E8M0},
    {"float8_e4m3", DType::F8_E4M3},
    {"fp8_e4m3", DType::F8_E4M3},
    {"fp8_e5m2", DType::F8_E5M2},
    {"int", DType::I32},
}};

// Not std::tolower: that one depends on the locale of the process.
constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (lower(a[i]) != lower(b[i])) return false;
  return true;
}

}  // namespace

const DTypeInfo& info(DType dtype) noexcept { return kTable[static_cast<std::size_t>(dtype)]; }

std::span<const DTypeInfo> all_dtypes() noexcept { return kTable; }

std::optional<DType> dtype_from_safetensors(std::string_view name) noexcept {
  for (const DTypeInfo& row : kTable)
    if (row.kind != quantised && row.name == name) return row.dtype;
  return std::nullopt;
}

std::optional<DType> dtype_from_text(std::string_view text) noexcept {
  constexpr std::string_view kModule = "torch.";
  if (text.starts_with(kModule)) text.remove_prefix(kModule.size());
  for (const DTypeInfo& row : kTable)
    if (equal_ignoring_case(text, row.name) || equal_ignoring_case(text, row.torch_name)) return row.dtype;
  for (const Alias& alias : kAliases)
    if (equal_ignoring_case(text, alias.text)) return alias.dtype;
  return std::nullopt;
}

std::optional<std::uint64_t> byte_size(DType dtype, std::uint64_t elements) noexcept {
  const DTypeInfo& row = info(dtype);
  if (elements % row.block_elements != 0) return std::nullopt;
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(elements / row.block_elements, std::uint64_t{row.block_bytes}, &bytes))
    return std::nullopt;
  return bytes;
}

}  // namespace ballast
