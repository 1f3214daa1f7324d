#include "schema_file/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/utf8.hpp"

namespace ballast::schema_file {

namespace {

constexpr std::size_t kMostDepth = 32;

void append_utf8(std::string& out, std::uint32_t code) {
  const auto byte = [&out](std::uint32_t value) { out += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0U | (code >> 6U));
    byte(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    byte(0xE0U | (code >> 12U));
    byte(0x80U | ((code >> 6U) & 0x3FU));
    byte(0x80U | (code & 0x3FU));
  } else {
    byte(0xF0U | (code >> 18U));
    byte(0x80U | ((code >> 12U) & 0x3FU));
    byte(0x80U | ((code >> 6U) & 0x3FU));
    byte(0x80U | (code & 0x3FU));
  }
}

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// A recursive descent that throws at the first fault: what follows one cannot be told from it.
class Parser {
 public:
  Parser(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  Json document() {
    if (const auto bad = find_invalid_utf8(text_)) fail(*bad, "the file is not UTF-8", "UTF-8", "other bytes");
    skip_space();
    if (at_ == text_.size()) fail(0, "the file is empty", "a JSON object", "nothing");
    Json json = value(0);
    skip_space();
    if (at_ != text_.size()) fail(at_, "there is text after the end of the JSON", "the end of the file", here());
    return json;
  }

 private:
  [[noreturn]] void fail(std::size_t offset, std::string what, std::string expected, std::string got,
                         Errc code = Errc::schema_invalid) const {
    Diagnostic d;
    d.code = code;
    d.operation = "read schema file";
    d.file = path_;
    d.place = line_and_column(text_, offset);
    d.what = std::move(what);
    d.expected = std::move(expected);
    d.got = std::move(got);
    throw Error(std::move(d));
  }

  [[nodiscard]] std::string here() const {
    if (at_ >= text_.size()) return "the end of the file";
    const std::size_t line = std::min(text_.find('\n', at_), text_.size());
    return fmt::format("'{}'", text_.substr(at_, std::min<std::size_t>(line - at_, 20)));
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
      ++at_;
  }
  [[nodiscard]] bool next_is(char c) const noexcept { return at_ < text_.size() && text_[at_] == c; }

  Json value(std::size_t depth) {
    if (depth > kMostDepth)
      fail(at_, "the JSON is nested too deeply", fmt::format("at most {} levels", kMostDepth), "more",
           Errc::limit_exceeded);
    Json json;
    json.offset = at_;
    if (next_is('{'))
      json.value = object(depth);
    else if (next_is('['))
      json.value = array(depth);
    else if (next_is('"'))
      json.value = string();
    else if (next_is('-') || (at_ < text_.size() && is_digit(text_[at_])))
      json.value = number();
    else
      json.value = word();
    return json;
  }

  Json::Object object(std::size_t depth) {
    Json::Object members;
    std::unordered_set<std::string> keys;
    ++at_;
    skip_space();
    while (!next_is('}')) {
      if (!members.empty()) separator('}');
      if (!next_is('"')) fail(at_, "an object lacks a key", "a key in double quotes", here());
      Json::Member member;
      member.offset = at_;
      member.key = string();
      if (!keys.insert(member.key).second)
        fail(member.offset, fmt::format("the key '{}' stands twice in one object", member.key), "each key once",
             member.key, Errc::duplicate_key);
      skip_space();
      if (!next_is(':')) fail(at_, "a key has no value", "':'", here());
      ++at_;
      skip_space();
      member.value = value(depth + 1);
      members.push_back(std::move(member));
      skip_space();
    }
    ++at_;
    return members;
  }

  Json::Array array(std::size_t depth) {
    Json::Array elements;
    ++at_;
    skip_space();
    while (!next_is(']')) {
      if (!elements.empty()) separator(']');
      elements.push_back(value(depth + 1));
      skip_space();
    }
    ++at_;
    return elements;
  }

  void separator(char close) {
    if (!next_is(',')) fail(at_, "the JSON cannot be read", fmt::format("',' or '{}'", close), here());
    ++at_;
    skip_space();
    if (next_is(close)) fail(at_, "a comma has nothing after it", "one more element", here());
  }

  std::string string() {
    const std::size_t begin = at_++;
    std::string out;
    while (!next_is('"')) {
      if (at_ >= text_.size() || text_[at_] == '\n') fail(begin, "a text has no end", "a closing double quote", here());
      if (static_cast<unsigned char>(text_[at_]) < 0x20)
        fail(at_, "a control character in a text", "an escape like \\t", "the character itself");
      if (text_[at_] == '\\')
        escape(out);
      else
        out += text_[at_++];
    }
    ++at_;
    return out;
  }

  void escape(std::string& out) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const std::size_t begin = at_++;
    const char c = at_ < text_.size() ? text_[at_] : '\0';
    ++at_;
    if (const std::size_t i = kLetters.find(c); c != '\0' && i != std::string_view::npos) {
      out += kMeanings[i];
      return;
    }
    if (c != 'u') fail(begin, "there is no such escape", "one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX", "");
    std::uint32_t code = hex(begin);
    if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
      at_ += 2;
      const std::uint32_t low = hex(begin);
      code = low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00) : 0xD800;
    }
    if (code >= 0xD800 && code < 0xE000) fail(begin, "half a surrogate pair", "both halves", "");
    append_utf8(out, code);
  }

  std::uint32_t hex(std::size_t begin) {
    std::uint32_t code = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = at_ < text_.size() ? text_[at_] : '\0';
      const char lower = static_cast<char>(c | 0x20);
      if (!is_digit(c) && (lower < 'a' || lower > 'f'))
        fail(begin, "an escape is cut short", "\\u and 4 hex digits", "");
      code = code * 16 + static_cast<std::uint32_t>(is_digit(c) ? c - '0' : lower - 'a' + 10);
    }
    return code;
  }

  Json::Number number() {
    const std::size_t end = std::min(text_.find_first_not_of("0123456789+-.eE", at_), text_.size());
    Json::Number number{std::string(text_.substr(at_, end - at_))};
    if (number.text.size() > 1 && number.text[0] == '0' && is_digit(number.text[1]))
      fail(at_, "a number starts with 0", "a number without leading zeros", number.text);
    at_ = end;
    return number;
  }

  std::variant<std::monostate, bool, Json::Number, std::string, Json::Array, Json::Object> word() {
    const std::string_view rest = text_.substr(at_);
    for (const std::string_view one : {"true", "false", "null"}) {
      if (!rest.starts_with(one)) continue;
      at_ += one.size();
      if (one == "null") return std::monostate();
      return one == "true";
    }
    fail(at_, "the JSON cannot be read", "a value", here());
  }

  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
};

}  // namespace

const Json* Json::find(std::string_view key) const noexcept {
  if (const Object* members = object())
    for (const Member& member : *members)
      if (member.key == key) return &member.value;
  return nullptr;
}

Json parse_json(std::string_view text, const std::string& path) { return Parser(text, path).document(); }

std::string line_and_column(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n') + 1;  // 0 where there is none
  return fmt::format("line {}, column {}", line, before.size() - start + 1);
}

std::size_t offset_in_string(std::string_view text, std::size_t string_offset, std::size_t position) {
  std::size_t at = string_offset + 1;
  for (std::size_t i = 0; i < position && at < text.size(); ++i) {
    if (text[at] != '\\')
      ++at;
    else
      at += at + 1 < text.size() && text[at + 1] == 'u' ? 6 : 2;  // formulas are ASCII: one character an escape
  }
  return std::min(at, text.size());
}

std::string quoted_json(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + '"';
}

}  // namespace ballast::schema_file
