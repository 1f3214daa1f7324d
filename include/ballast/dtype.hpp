// Element types of stored and of final tensors.
//
// Names are those of the safetensors format for plain types and those of GGML for block-quantised ones
// (both documented by their projects). `torch_name` is the name that PyTorch uses, where it has the type.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ballast {

enum class DType : std::uint8_t {
  F64,
  F32,
  F16,
  BF16,
  F8_E4M3,
  F8_E5M2,
  F8_E8M0,
  F8_E4M3FNUZ,
  F8_E5M2FNUZ,
  F6_E2M3,
  F6_E3M2,
  F4,
  I64,
  I32,
  I16,
  I8,
  U64,
  U32,
  U16,
  U8,
  BOOL,
  C64,
  // GGML block types. Values of those marked in `values_supported` can be read; the others are known by size.
  Q4_0,
  Q4_1,
  Q5_0,
  Q5_1,
  Q8_0,
  Q8_1,
  Q2_K,
  Q3_K,
  Q4_K,
  Q5_K,
  Q6_K,
  Q8_K,
  IQ1_S,
  IQ1_M,
  IQ2_XXS,
  IQ2_XS,
  IQ2_S,
  IQ3_XXS,
  IQ3_S,
  IQ4_NL,
  IQ4_XS,
  TQ1_0,
  TQ2_0,
  MXFP4,
  NVFP4,
  Q1_0,
};

inline constexpr std::size_t kDTypeCount = static_cast<std::size_t>(DType::Q1_0) + 1;

enum class DTypeKind : std::uint8_t { floating, integer, boolean, complex, quantised };

// What is stored: `block_elements` consecutive elements take `block_bytes` bytes. Plain types have one element a
// block; F4 has two in one byte; F6 has four in three bytes; the GGML types have 32, 64, 128 or 256.
struct DTypeInfo {
  DType dtype;
  std::string_view name;        // "BF16"
  std::string_view torch_name;  // "bfloat16"; the name in lower case where PyTorch has no such type
  DTypeKind kind;
  std::uint32_t block_elements;
  std::uint32_t block_bytes;
  bool values_supported;  // false: Ballast knows its size, but cannot yet turn it into another type
};

[[nodiscard]] const DTypeInfo& info(DType dtype) noexcept;
[[nodiscard]] std::span<const DTypeInfo> all_dtypes() noexcept;

[[nodiscard]] inline std::string_view name(DType dtype) noexcept { return info(dtype).name; }
[[nodiscard]] inline std::string_view torch_name(DType dtype) noexcept { return info(dtype).torch_name; }
[[nodiscard]] inline bool is_block(DType dtype) noexcept { return info(dtype).block_elements != 1; }
[[nodiscard]] inline bool is_quantised(DType dtype) noexcept { return info(dtype).kind == DTypeKind::quantised; }

// From the name in a safetensors header. Exact, case-sensitive; nothing for an unknown one.
[[nodiscard]] std::optional<DType> dtype_from_safetensors(std::string_view name) noexcept;
// From what a person or a config.json writes: "bf16", "bfloat16", "torch.bfloat16", "BF16".
[[nodiscard]] std::optional<DType> dtype_from_text(std::string_view text) noexcept;

// Bytes of `elements` elements of a type. Nothing where the result overflows 64 bits or where the count is not a
// whole number of blocks.
[[nodiscard]] std::optional<std::uint64_t> byte_size(DType dtype, std::uint64_t elements) noexcept;

}  // namespace ballast
