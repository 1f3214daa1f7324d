#include "catalog/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "ballast/formats.hpp"

namespace ballast::catalog {
namespace {

Diagnostic fault(const JsonKind& kind, const std::string& path, std::string what) {
  Diagnostic diagnostic;
  diagnostic.code = kind.invalid;
  diagnostic.operation = kind.operation;
  diagnostic.file = path;
  diagnostic.what = std::move(what);
  return diagnostic;
}

// What is usually found in the place of JSON. Throws where `text` is one of these.
void refuse_impostors(std::string_view text, const JsonKind& kind, const std::string& path) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  Diagnostic diagnostic = fault(kind, path, "");
  if (start == std::string_view::npos) {
    diagnostic.what = fmt::format("the {} is empty", kind.noun);
    diagnostic.cause = "an incomplete download?";
  } else if (text.starts_with("version https://git-lfs.github.com/spec/")) {
    diagnostic.what = fmt::format("a Git LFS pointer in place of the {}, not the file itself", kind.noun);
    diagnostic.cause = "the repository was cloned without Git LFS: run 'git lfs pull' in it";
  } else if (text[start] == '<') {
    diagnostic.what = fmt::format("an HTML page in place of the {}", kind.noun);
    diagnostic.cause = "a web page was saved instead of the file (a login page?): download the file itself again";
  } else if (text.starts_with("\xEF\xBB\xBF")) {
    diagnostic.what = fmt::format("the {} starts with a byte order mark", kind.noun);
    diagnostic.cause = "save it as UTF-8 without a byte order mark";
  } else {
    return;
  }
  throw Error(std::move(diagnostic));
}

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// A whole number that neither int64 nor uint64 can hold.
bool beyond_64_bits(std::string_view number) noexcept {
  const char* const end = number.data() + number.size();
  if (number.starts_with('-')) {
    std::int64_t value = 0;
    return std::from_chars(number.data(), end, value).ec == std::errc::result_out_of_range;
  }
  std::uint64_t value = 0;
  return std::from_chars(number.data(), end, value).ec == std::errc::result_out_of_range;
}

// The length of the string literal that starts at the quote at `start`, closing quote included; up to the end of the
// text where there is none.
std::size_t string_length(std::string_view json, std::size_t start) noexcept {
  std::size_t at = start + 1;
  while (at < json.size() && json[at] != '"') at += json[at] == '\\' ? 2 : 1;
  return std::min(at + 1, json.size()) - start;
}

std::size_t number_length(std::string_view json, std::size_t start) noexcept {
  const std::size_t end = json.find_first_not_of("0123456789+-.eE", start);
  return std::min(end, json.size()) - start;
}

void append_number(std::string& out, std::string_view number) {
  out += number;
  const bool whole = number.find_first_not_of("0123456789", 1) == std::string_view::npos;
  if (whole && beyond_64_bits(number)) out += ".0";
}

Value to_array(simdjson::dom::array elements) {
  Value::Array array;
  array.reserve(elements.size());
  for (const simdjson::dom::element element : elements) array.push_back(to_value(element));
  return Value(std::move(array));
}

Value to_object(simdjson::dom::object members) {
  Value::Object object;
  object.reserve(members.size());
  std::unordered_map<std::string_view, std::size_t> places;
  for (const auto& [key, element] : members) {
    const auto [place, is_new] = places.try_emplace(key, object.size());
    if (is_new)
      object.emplace_back(std::string(key), to_value(element));
    else
      object[place->second].second = to_value(element);
  }
  return Value(std::move(object));
}

}  // namespace

std::string read_json_text(const std::string& path, const JsonKind& kind) {
  const InputFile file(path);
  if (file.size() > kind.max_bytes) {
    Diagnostic diagnostic = fault(kind, path, fmt::format("the {} is too large", kind.noun));
    diagnostic.expected = fmt::format("at most {} bytes", kind.max_bytes);
    diagnostic.got = fmt::format("{} bytes", file.size());
    throw Error(std::move(diagnostic));
  }
  std::string text;
  text.reserve(file.size() + simdjson::SIMDJSON_PADDING);
  text.resize(file.size());
  file.read_at(0, text.data(), text.size());
  return text;
}

simdjson::dom::element parse_json(simdjson::dom::parser& parser, const std::string& text, const JsonKind& kind,
                                  const std::string& path) {
  refuse_impostors(text, kind, path);
  simdjson::dom::element root;
  const simdjson::error_code error = parser.parse(text).get(root);
  if (error == simdjson::SUCCESS) return root;
  Diagnostic diagnostic = fault(kind, path, fmt::format("the {} is not valid JSON", kind.noun));
  diagnostic.got = simdjson::error_message(error);
  diagnostic.cause = "edited by hand, or an incomplete download?";
  throw Error(std::move(diagnostic));
}

std::string tolerate_python_numbers(std::string_view json) {
  std::string out;
  out.reserve(json.size() + simdjson::SIMDJSON_PADDING);
  std::size_t at = 0;
  while (at < json.size()) {
    const std::string_view rest = json.substr(at);
    std::size_t length = 1;
    bool unknown = false;
    for (const std::string_view token : {"NaN", "Infinity", "-Infinity"}) {
      if (!rest.starts_with(token)) continue;
      unknown = true;
      length = token.size();
    }
    if (unknown) {
      out += "null";
    } else if (rest[0] == '"') {
      length = string_length(json, at);
      out += rest.substr(0, length);
    } else if (rest[0] == '-' || is_digit(rest[0])) {
      length = number_length(json, at);
      append_number(out, rest.substr(0, length));
    } else {
      out += rest[0];
    }
    at += length;
  }
  return out;
}

Value to_value(simdjson::dom::element element) {
  using Type = simdjson::dom::element_type;
  // The value_unsafe() calls follow the type that the element itself states.
  switch (element.type()) {
    case Type::ARRAY:
      return to_array(element.get_array().value_unsafe());
    case Type::OBJECT:
      return to_object(element.get_object().value_unsafe());
    case Type::INT64:
      return Value(element.get_int64().value_unsafe());
    case Type::UINT64:
      return Value(element.get_uint64().value_unsafe());
    case Type::DOUBLE:
      return Value(element.get_double().value_unsafe());
    case Type::STRING:
      return Value(std::string(element.get_string().value_unsafe()));
    case Type::BOOL:
      return Value(element.get_bool().value_unsafe());
    case Type::NULL_VALUE:
      return Value();
  }
  return Value();
}

}  // namespace ballast::catalog
