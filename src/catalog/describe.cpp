#include "catalog/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ballast::catalog {

Diagnostic open_fault(Errc code, const std::string& path, std::string what) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.operation = "open checkpoint";
  diagnostic.file = path;
  diagnostic.what = std::move(what);
  return diagnostic;
}

std::string quoted(std::string_view text) { return "\"" + printable(text, 80) + "\""; }

std::string describe(const Value& value) {
  if (value.is_null()) return "null";
  if (const auto boolean = value.boolean()) return *boolean ? "true" : "false";
  if (const auto* text = value.string()) return "the string " + quoted(*text);
  if (const auto* array = value.array()) return fmt::format("an array of length {}", array->size());
  if (value.object() != nullptr) return "an object";
  if (const auto* integer = std::get_if<std::int64_t>(&value.storage())) return fmt::format("{}", *integer);
  if (const auto* integer = std::get_if<std::uint64_t>(&value.storage())) return fmt::format("{}", *integer);
  return fmt::format("{}", value.number().value_or(0));
}

std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t kMaxListed = 20;
  if (names.empty()) return "nothing";
  const std::size_t n_listed = std::min(names.size(), kMaxListed);
  std::string list =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(n_listed), ", "));
  if (names.size() > n_listed) list += fmt::format(" and {} more", names.size() - n_listed);
  return list;
}

}  // namespace ballast::catalog
