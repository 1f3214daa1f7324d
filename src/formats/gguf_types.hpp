// The numbers by which GGUF names the types of tensors and of metadata.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ballast/dtype.hpp"

namespace ballast {

// Nothing for an id that ggml never gave, or has taken back.
[[nodiscard]] std::optional<DType> dtype_from_ggml(std::uint32_t id) noexcept;
// The name of a type that ggml once had and removed; empty for any other id.
[[nodiscard]] std::string_view removed_ggml_type(std::uint32_t id) noexcept;

enum class GgufValueType : std::uint32_t {
  u8 = 0,
  i8 = 1,
  u16 = 2,
  i16 = 3,
  u32 = 4,
  i32 = 5,
  f32 = 6,
  boolean = 7,
  string = 8,
  array = 9,
  u64 = 10,
  i64 = 11,
  f64 = 12,
};

inline constexpr std::uint32_t kGgufValueTypeCount = 13;

// The fewest bytes that one value takes in a file: what bounds a count before anything is allocated for it.
[[nodiscard]] std::uint64_t smallest_bytes(GgufValueType type) noexcept;

}  // namespace ballast
