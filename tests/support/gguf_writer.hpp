// Writes small GGUF files.
//
//   GgufWriter{}.text("general.architecture", "llama").u32("llama.block_count", 2)
//       .tensor("token_embd.weight", DType::F32, {8, 4}).write(path);
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/dtype.hpp"
#include "ballast/shape.hpp"

namespace ballast::test {

class GgufWriter {
 public:
  // Value types, by the numbers that the format gives them.
  enum Type : std::uint32_t { kU8, kI8, kU16, kI16, kU32, kI32, kF32, kBool, kString, kArray, kU64, kI64, kF64 };

  explicit GgufWriter(std::uint32_t version = 3) : version_(version) {}

  GgufWriter& u32(std::string_view key, std::uint32_t value);
  GgufWriter& u64(std::string_view key, std::uint64_t value);
  GgufWriter& i32(std::string_view key, std::int32_t value);
  GgufWriter& f32(std::string_view key, float value);
  GgufWriter& boolean(std::string_view key, bool value);
  GgufWriter& text(std::string_view key, std::string_view value);
  GgufWriter& u32s(std::string_view key, const std::vector<std::uint32_t>& values);
  GgufWriter& texts(std::string_view key, const std::vector<std::string>& values);
  // Any value type, its bytes as given.
  GgufWriter& raw(std::string_view key, std::uint32_t type, std::string_view bytes);

  // Writes `general.alignment` too.
  GgufWriter& alignment(std::uint32_t bytes);

  // Shapes are row-major, outermost first, as everywhere in Ballast; the file gets them in its own order. Tensors lie
  // in the order in which they are added, each at the next multiple of the alignment.
  GgufWriter& tensor(std::string_view name, DType dtype, const Shape& shape, std::string bytes);
  GgufWriter& tensor(std::string_view name, DType dtype, const Shape& shape);
  GgufWriter& tensor(std::string_view name, std::uint32_t ggml_type, const Shape& shape, std::string bytes);

  [[nodiscard]] std::string bytes() const;           // the whole file
  std::string write(const std::string& path) const;  // returns the path

 private:
  std::uint32_t version_;
  std::uint64_t alignment_ = 32;
  std::uint64_t n_values_ = 0;
  std::uint64_t n_tensors_ = 0;
  std::string values_;
  std::string infos_;
  std::string data_;
};

// The number of a type in GGUF files. Throws std::invalid_argument for a type that they cannot hold.
[[nodiscard]] std::uint32_t ggml_type(DType dtype);

}  // namespace ballast::test
