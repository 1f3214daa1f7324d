#include "support/gguf_writer.hpp"

#include <stdexcept>
#include <utility>

#include "support/bytes.hpp"
#include "support/fill.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

std::string gguf_string(std::string_view text) {
  return bytes_of(static_cast<std::uint64_t>(text.size())) + std::string(text);
}

std::string gguf_array(std::uint32_t type, std::size_t count, const std::string& elements) {
  return bytes_of(type) + bytes_of(static_cast<std::uint64_t>(count)) + elements;
}

void pad(std::string& bytes, std::uint64_t alignment) {
  bytes.append((alignment - bytes.size() % alignment) % alignment, '\0');
}

}  // namespace

GgufWriter& GgufWriter::raw(std::string_view key, std::uint32_t type, std::string_view bytes) {
  values_ += gguf_string(key) + bytes_of(type) + std::string(bytes);
  ++n_values_;
  return *this;
}

GgufWriter& GgufWriter::u32(std::string_view key, std::uint32_t value) { return raw(key, kU32, bytes_of(value)); }
GgufWriter& GgufWriter::u64(std::string_view key, std::uint64_t value) { return raw(key, kU64, bytes_of(value)); }
GgufWriter& GgufWriter::i32(std::string_view key, std::int32_t value) { return raw(key, kI32, bytes_of(value)); }
GgufWriter& GgufWriter::f32(std::string_view key, float value) { return raw(key, kF32, bytes_of(value)); }
GgufWriter& GgufWriter::boolean(std::string_view key, bool value) {
  return raw(key, kBool, bytes_of(static_cast<std::uint8_t>(value)));
}
GgufWriter& GgufWriter::text(std::string_view key, std::string_view value) {
  return raw(key, kString, gguf_string(value));
}

GgufWriter& GgufWriter::u32s(std::string_view key, const std::vector<std::uint32_t>& values) {
  return raw(key, kArray, gguf_array(kU32, values.size(), bytes_of(std::span<const std::uint32_t>(values))));
}

GgufWriter& GgufWriter::texts(std::string_view key, const std::vector<std::string>& values) {
  std::string elements;
  for (const std::string& value : values) elements += gguf_string(value);
  return raw(key, kArray, gguf_array(kString, values.size(), elements));
}

GgufWriter& GgufWriter::alignment(std::uint32_t bytes) {
  alignment_ = bytes;
  return u32("general.alignment", bytes);
}

GgufWriter& GgufWriter::tensor(std::string_view name, DType dtype, const Shape& shape, std::string bytes) {
  return tensor(name, ggml_type(dtype), shape, std::move(bytes));
}

GgufWriter& GgufWriter::tensor(std::string_view name, DType dtype, const Shape& shape) {
  return tensor(name, dtype, shape, fill_bytes(dtype, shape, n_tensors_));
}

GgufWriter& GgufWriter::tensor(std::string_view name, std::uint32_t ggml_type, const Shape& shape, std::string bytes) {
  pad(data_, alignment_);
  infos_ += gguf_string(name) + bytes_of(static_cast<std::uint32_t>(shape.rank()));
  for (std::size_t axis = shape.rank(); axis-- > 0;) infos_ += bytes_of(shape[axis]);
  infos_ += bytes_of(ggml_type) + bytes_of(static_cast<std::uint64_t>(data_.size()));
  data_ += bytes;
  ++n_tensors_;
  return *this;
}

std::string GgufWriter::bytes() const {
  std::string file = "GGUF" + bytes_of(version_) + bytes_of(n_tensors_) + bytes_of(n_values_) + values_ + infos_;
  pad(file, alignment_);
  file += data_;
  pad(file, alignment_);
  return file;
}

std::string GgufWriter::write(const std::string& path) const {
  write_file(path, bytes());
  return path;
}

std::uint32_t ggml_type(DType dtype) {
  static constexpr std::pair<DType, std::uint32_t> kTypes[] = {
      {DType::F32, 0},     {DType::F16, 1},      {DType::Q4_0, 2},   {DType::Q4_1, 3},    {DType::Q5_0, 6},
      {DType::Q5_1, 7},    {DType::Q8_0, 8},     {DType::Q8_1, 9},   {DType::Q2_K, 10},   {DType::Q3_K, 11},
      {DType::Q4_K, 12},   {DType::Q5_K, 13},    {DType::Q6_K, 14},  {DType::Q8_K, 15},   {DType::IQ2_XXS, 16},
      {DType::IQ2_XS, 17}, {DType::IQ3_XXS, 18}, {DType::IQ1_S, 19}, {DType::IQ4_NL, 20}, {DType::IQ3_S, 21},
      {DType::IQ2_S, 22},  {DType::IQ4_XS, 23},  {DType::I8, 24},    {DType::I16, 25},    {DType::I32, 26},
      {DType::I64, 27},    {DType::F64, 28},     {DType::IQ1_M, 29}, {DType::BF16, 30},   {DType::TQ1_0, 34},
      {DType::TQ2_0, 35},  {DType::MXFP4, 39},   {DType::NVFP4, 40}, {DType::Q1_0, 41}};
  for (const auto& [type, number] : kTypes)
    if (type == dtype) return number;
  throw std::invalid_argument("GGUF files do not hold " + std::string(name(dtype)));
}

}  // namespace ballast::test
