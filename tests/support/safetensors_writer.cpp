#include "support/safetensors_writer.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "support/bytes.hpp"
#include "support/fill.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {

SafetensorsWriter& SafetensorsWriter::tensor(std::string name, DType dtype, const Shape& shape, std::string bytes) {
  return tensor(std::move(name), ballast::name(dtype), shape, std::move(bytes));
}

SafetensorsWriter& SafetensorsWriter::tensor(std::string name, DType dtype, const Shape& shape) {
  std::string bytes = fill_bytes(dtype, shape, entries_.size());
  return tensor(std::move(name), dtype, shape, std::move(bytes));
}

SafetensorsWriter& SafetensorsWriter::tensor(std::string name, std::string_view dtype, const Shape& shape,
                                             std::string bytes) {
  entries_.push_back({std::move(name), std::string(dtype), shape, std::move(bytes)});
  return *this;
}

SafetensorsWriter& SafetensorsWriter::metadata(std::string key, std::string value) {
  metadata_.emplace_back(std::move(key), std::move(value));
  return *this;
}

std::string SafetensorsWriter::header_json() const {
  std::string json = "{";
  const auto member = [&json](std::string_view key) {
    if (json.back() != '{') json += ',';
    json += json_string(key) + ":";
  };
  if (!metadata_.empty()) {
    member("__metadata__");
    json += '{';
    for (const auto& [key, value] : metadata_) {
      member(key);
      json += json_string(value);
    }
    json += '}';
  }
  std::size_t offset = 0;
  for (const Entry& entry : entries_) {
    member(entry.name);
    json += fmt::format(R"({{"dtype":{},"shape":[{}],"data_offsets":[{},{}]}})", json_string(entry.dtype),
                        fmt::join(entry.shape, ","), offset, offset + entry.bytes.size());
    offset += entry.bytes.size();
  }
  json += '}';
  json.append((8 - json.size() % 8) % 8, ' ');
  return json;
}

std::string SafetensorsWriter::bytes() const {
  std::string data;
  for (const Entry& entry : entries_) data += entry.bytes;
  return safetensors_bytes(header_json(), data);
}

std::string SafetensorsWriter::write(const std::string& path) const {
  write_file(path, bytes());
  return path;
}

std::string safetensors_bytes(std::string_view header_json, std::string_view data) {
  std::string file = bytes_of(static_cast<std::uint64_t>(header_json.size()));
  file += header_json;
  file += data;
  return file;
}

std::string json_string(std::string_view text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      json += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      json += c;
    }
  }
  return json + '"';
}

}  // namespace ballast::test
