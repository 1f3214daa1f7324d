// Short ways to write headers and to parse them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ballast/formats.hpp"
#include "support/bytes.hpp"

namespace ballast::test {

// The header of a file with `data_bytes` bytes of data after it.
inline FileHeader parse_safetensors(std::string_view json, std::uint64_t data_bytes) {
  return parse_safetensors_header(json, 8 + json.size() + data_bytes, "m.safetensors");
}

// "name":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}
inline std::string entry(std::string_view name, std::string_view dtype, std::string_view shape,
                         std::string_view offsets) {
  return "\"" + std::string(name) + "\":{\"dtype\":\"" + std::string(dtype) + "\",\"shape\":" + std::string(shape) +
         ",\"data_offsets\":" + std::string(offsets) + "}";
}

inline FileHeader parse_gguf(std::string_view file) { return parse_gguf_header(file, file.size(), "m.gguf"); }

// Parts of a GGUF header made by hand.
inline std::string gguf_start(std::uint64_t tensors, std::uint64_t keys, std::uint32_t version = 3) {
  return "GGUF" + bytes_of(version) + bytes_of(tensors) + bytes_of(keys);
}
inline std::string gguf_string(std::string_view text) {
  return bytes_of(static_cast<std::uint64_t>(text.size())) + std::string(text);
}
// One dimension of `extent` elements.
inline std::string gguf_tensor(std::string_view name, std::uint64_t extent, std::uint32_t type, std::uint64_t offset) {
  return gguf_string(name) + bytes_of(std::uint32_t{1}) + bytes_of(extent) + bytes_of(type) + bytes_of(offset);
}
// Padded to the alignment, then `data_bytes` bytes of data.
inline std::string gguf_file(std::string header, std::uint64_t data_bytes, std::uint64_t alignment = 32) {
  header.append((alignment - header.size() % alignment) % alignment + data_bytes, '\0');
  return header;
}

}  // namespace ballast::test
