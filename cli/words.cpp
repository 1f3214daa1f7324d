#include "words.hpp"

#include <fmt/format.h>

#include <array>

#include "ballast/error.hpp"

namespace ballast::cli {

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  constexpr std::array<std::string_view, 6> kUnits{"kB", "MB", "GB", "TB", "PB", "EB"};
  double amount = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  // What would be rounded to 1000.0 is 1.0 of the next unit.
  for (; amount >= 999.95 && unit + 1 < kUnits.size(); ++unit) amount /= 1000;
  return fmt::format("{:.1f} {}", amount, kUnits[unit]);
}

std::string count_text(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

std::string seconds_text(double seconds) {
  if (seconds < 0.01) return fmt::format("{:.2f} ms", seconds * 1e3);
  if (seconds < 0.9995) return fmt::format("{:.0f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

std::string speed_text(std::uint64_t bytes, double seconds) {
  if (bytes == 0 || seconds <= 0) return "";
  return fmt::format("{:.2f} GB/s", static_cast<double>(bytes) / seconds / 1e9);
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count_text(count), noun, count == 1 ? "" : "s");
}

namespace {

std::string array_text(const Value::Array& array, std::size_t width) {
  std::string text = "[";
  for (std::size_t i = 0; i < array.size(); ++i) {
    const std::string element = value_text(array[i], 24);
    if (text.size() + element.size() + 2 > width) {
      text += i == 0 ? "..." : ", ...";
      break;
    }
    text += (i == 0 ? "" : ", ") + element;
  }
  text += "]";
  // A long one says how long.
  return text.find("...") == std::string::npos ? text : fmt::format("{} of {}", text, count_text(array.size()));
}

}  // namespace

std::string value_text(const Value& value, std::size_t width) {
  struct Visitor {
    std::size_t width;
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(std::uint64_t number) const { return std::to_string(number); }
    // GGUF keeps float32, whose neighbours in double have many digits.
    std::string operator()(double number) const { return fmt::format("{:.7g}", number); }
    std::string operator()(const std::string& text) const {
      return text.size() <= width
                 ? fmt::format("\"{}\"", printable(text, width))
                 : fmt::format("\"{}...\" of {}", printable(utf8_head(text), width), bytes_text(text.size()));
    }
    std::string operator()(const Value::Array& array) const { return array_text(array, width); }
    std::string operator()(const Value::Object& object) const { return fmt::format("{{{} keys}}", object.size()); }

    // The first `width` bytes, not cut within a character.
    [[nodiscard]] std::string_view utf8_head(std::string_view text) const {
      std::size_t cut = width;
      while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
      return text.substr(0, cut);
    }
  };
  return std::visit(Visitor{width}, value.storage());
}

std::string joined(const std::vector<std::string>& parts) { return fmt::format("{}", fmt::join(parts, ", ")); }

std::string_view base_name(std::string_view path) noexcept { return path.substr(path.rfind('/') + 1); }

std::string title_of(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  return printable(path, 2000);
}

}  // namespace ballast::cli
