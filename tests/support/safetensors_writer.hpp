// Writes small safetensors files, right ones and wrong ones.
//
//   SafetensorsWriter{}.tensor("a", DType::F32, {2}, bytes_of({1.0F, 2.0F})).tensor("b", DType::F16, {4}).write(path);
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ballast/dtype.hpp"
#include "ballast/shape.hpp"

namespace ballast::test {

class SafetensorsWriter {
 public:
  // Tensors lie in the file in the order in which they are added, without gaps.
  SafetensorsWriter& tensor(std::string name, DType dtype, const Shape& shape, std::string bytes);
  // Filled with bytes that differ from tensor to tensor and place to place (a fixed sequence).
  SafetensorsWriter& tensor(std::string name, DType dtype, const Shape& shape);
  // Nothing is checked: a dtype that does not exist, or bytes that do not fit the shape, are written as given.
  SafetensorsWriter& tensor(std::string name, std::string_view dtype, const Shape& shape, std::string bytes);
  SafetensorsWriter& metadata(std::string key, std::string value);

  [[nodiscard]] std::string header_json() const;
  [[nodiscard]] std::string bytes() const;           // the whole file
  std::string write(const std::string& path) const;  // returns the path

 private:
  struct Entry {
    std::string name;
    std::string dtype;
    Shape shape;
    std::string bytes;
  };
  std::vector<Entry> entries_;
  std::vector<std::pair<std::string, std::string>> metadata_;
};

// A file of any header, for what SafetensorsWriter cannot write wrongly enough.
[[nodiscard]] std::string safetensors_bytes(std::string_view header_json, std::string_view data);

// A string as JSON writes it, with its quotes.
[[nodiscard]] std::string json_string(std::string_view text);

}  // namespace ballast::test
