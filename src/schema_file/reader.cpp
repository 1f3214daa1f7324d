#include "schema_file/reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formula/nearest_of.hpp"

namespace ballast::schema_file {

namespace {

std::string describe(const Json& json) {
  struct Visitor {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(const Json::Number& number) const { return number.text; }
    std::string operator()(const std::string& text) const { return fmt::format("\"{}\"", text); }
    std::string operator()(const Json::Array& array) const { return fmt::format("an array of {}", array.size()); }
    std::string operator()(const Json::Object&) const { return "an object"; }
  };
  return std::visit(Visitor(), json.value);
}

}  // namespace

bool is_name(std::string_view text) noexcept {
  const auto is_letter = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (text.empty() || !is_letter(text.front())) return false;
  return std::all_of(text.begin(), text.end(), [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

std::string Reader::place(const Place& at) const {
  const std::string line = line_and_column(text_, at.json->offset);
  return at.path.empty() ? line : fmt::format("{}, {}", at.path, line);
}

void Reader::complain(const Place& at, std::string what, std::string expected, std::string got, std::string nearest,
                      Errc code) {
  Diagnostic d;
  d.code = code;
  d.operation = "read schema file";
  d.what = std::move(what);
  d.file = path_;
  d.place = place(at);
  d.expected = std::move(expected);
  d.got = std::move(got);
  d.nearest = std::move(nearest);
  faults_.add(std::move(d));
}

void Reader::complain_kind(const Place& at, std::string expected) {
  complain(at, "a value is of the wrong kind", std::move(expected), describe(*at.json));
}

void Reader::complain(const Place& at, const formula::Fault& fault, std::size_t position_in_value) {
  // A copy of the value that starts at the character of the formula.
  Json character;
  character.offset = at.json->string() == nullptr
                         ? at.json->offset
                         : offset_in_string(text_, at.json->offset, position_in_value + fault.position);
  complain(Place{&character, at.path}, fault.what, fault.expected, fault.got, fault.nearest, fault.code);
}

void Reader::append(const Error& error) {
  Diagnostics with_file;
  for (Diagnostic d : error.diagnostics()) {
    d.file = path_;
    with_file.add(std::move(d));
  }
  for (std::size_t i = error.diagnostics().size(); i < error.total(); ++i) with_file.add({});
  faults_.append(with_file);
}

Place Reader::member(const Place& of, std::string_view key) const {
  const Json* json = of.json == nullptr ? nullptr : of.json->find(key);
  return {json, of.path.empty() ? std::string(key) : fmt::format("{}.{}", of.path, key)};
}

Place Reader::element(const Place& of, std::size_t i) const {
  return {&(*of.json->array())[i], fmt::format("{}[{}]", of.path, i)};
}

const Json::Object* Reader::object(const Place& at, std::initializer_list<Key> keys) {
  const Json::Object* members = at.json->object();
  if (members == nullptr) {
    complain_kind(at, "an object");
    return nullptr;
  }
  std::vector<std::string_view> names;
  for (const Key& key : keys) names.push_back(key.name);
  for (const Json::Member& member : *members) {
    if (member.key == "comment" || std::find(names.begin(), names.end(), member.key) != names.end()) continue;
    Json key;
    key.offset = member.offset;
    complain({&key, this->member(at, member.key).path}, fmt::format("there is no key '{}' here", member.key),
             fmt::format("one of: {}", fmt::join(names, ", ")), member.key, formula::nearest_of(member.key, names));
  }
  for (const Key& key : keys)
    if (key.required && at.json->find(key.name) == nullptr)
      complain(at, fmt::format("the key '{}' is missing", key.name), fmt::format("\"{}\"", key.name), "");
  return members;
}

const Json::Object* Reader::named_object(const Place& at, std::size_t most, std::string_view noun,
                                         std::string_view prefix) {
  const Json::Object* members = at.json->object();
  if (members == nullptr) {
    complain_kind(at, "an object");
    return nullptr;
  }
  if (members->size() > most) {
    complain(at, "an object has too many members", fmt::format("at most {}", most), std::to_string(members->size()), "",
             Errc::limit_exceeded);
    return nullptr;
  }
  for (const Json::Member& member : *members) {
    Json key;
    key.offset = member.offset;
    std::string_view name = member.key;
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
    if (!is_name(name))
      complain({&key, this->member(at, member.key).path}, fmt::format("'{}' is no name of {}", member.key, noun),
               "letters, digits and '_', not starting with a digit", member.key);
  }
  return members;
}

const Json::Array* Reader::array(const Place& at, std::size_t most) {
  const Json::Array* elements = at.json->array();
  if (elements == nullptr) {
    complain_kind(at, "an array");
    return nullptr;
  }
  if (elements->size() > most) {
    complain(at, "an array is too long", fmt::format("at most {} elements", most), std::to_string(elements->size()), "",
             Errc::limit_exceeded);
    return nullptr;
  }
  return elements;
}

std::optional<std::string> Reader::text(const Place& at) {
  const std::string* text = at.json->string();
  if (text != nullptr && !text->empty()) return *text;
  if (text != nullptr)
    complain(at, "a text is empty", "a text", "\"\"");
  else
    complain_kind(at, "a text");
  return std::nullopt;
}

std::vector<std::string> Reader::texts(const Place& at, std::size_t most) {
  std::vector<std::string> all;
  if (at.json->array() == nullptr) {
    if (at.json->string() == nullptr)
      complain_kind(at, "a text, or an array of texts");
    else if (auto one = text(at))
      all.push_back(std::move(*one));
    return all;
  }
  if (const Json::Array* elements = array(at, most))
    for (std::size_t i = 0; i < elements->size(); ++i)
      if (auto one = text(element(at, i))) all.push_back(std::move(*one));
  return all;
}

std::optional<std::string> Reader::formula_text(const Place& at) {
  if (const auto* number = std::get_if<Json::Number>(&at.json->value)) return number->text;
  if (const auto* boolean = std::get_if<bool>(&at.json->value)) return *boolean ? "true" : "false";
  if (at.json->string() == nullptr) {
    complain_kind(at, "a formula: a text, a number, or true or false");
    return std::nullopt;
  }
  return text(at);
}

std::optional<formula::Tree> Reader::formula(const Place& at, const formula::Names& names, formula::Kind kind) {
  const std::optional<std::string> text = formula_text(at);
  if (!text) return std::nullopt;
  std::vector<formula::Fault> wrong;
  std::optional<formula::Tree> tree = formula::compile(*text, names, kind, wrong);
  for (const formula::Fault& fault : wrong) complain(at, fault);
  return tree;
}

}  // namespace ballast::schema_file
