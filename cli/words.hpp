// Numbers and names as a person reads them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/dtype.hpp"
#include "ballast/shape.hpp"
#include "ballast/value.hpp"

namespace ballast::cli {

[[nodiscard]] std::string bytes_text(std::uint64_t bytes);                  // "134.5 MB"; 1 MB is 1,000,000 bytes
[[nodiscard]] std::string count_text(std::uint64_t count);                  // "1,234,567"
[[nodiscard]] std::string seconds_text(double seconds);                     // "0.45 ms", "123 ms", "1.23 s"
[[nodiscard]] std::string speed_text(std::uint64_t bytes, double seconds);  // "1.25 GB/s"
// "1 tensor", "272 tensors"
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun);
// A value of metadata in one line of some `width` bytes; arrays as their length and first elements.
[[nodiscard]] std::string value_text(const Value& value, std::size_t width = 64);
// Joined by ", ".
[[nodiscard]] std::string joined(const std::vector<std::string>& parts);
// The file's own name.
[[nodiscard]] std::string_view base_name(std::string_view path) noexcept;
// What a checkpoint is called in a heading: the path, printable, without a slash at its end.
[[nodiscard]] std::string title_of(std::string_view path);

}  // namespace ballast::cli
