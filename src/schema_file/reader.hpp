// What all parts of a schema file need while it is read: its faults, each with its place, and typed access.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/error.hpp"
#include "formula/check.hpp"
#include "schema_file/json.hpp"

namespace ballast::schema_file {

// A value of the file, and the path to it: "containers.LlamaLayer.rules[3]".
struct Place {
  const Json* json = nullptr;
  std::string path;
};

struct Key {
  std::string_view name;
  bool required = false;
};

class Reader {
 public:
  Reader(std::string_view text, std::string path) : text_(text), path_(std::move(path)) {}

  Diagnostics& faults() { return faults_; }
  [[nodiscard]] const std::string& file() const noexcept { return path_; }
  // "containers.LlamaLayer.rules[3], line 41, column 7"
  [[nodiscard]] std::string place(const Place& at) const;

  void complain(const Place& at, std::string what, std::string expected, std::string got, std::string nearest = {},
                Errc code = Errc::schema_invalid);
  void complain_kind(const Place& at, std::string expected);
  // A fault of a formula that is the value `at`.
  void complain(const Place& at, const formula::Fault& fault, std::size_t position_in_value = 0);
  // Faults that were found elsewhere.
  void append(const Error& error);

  [[nodiscard]] Place member(const Place& of, std::string_view key) const;
  [[nodiscard]] Place element(const Place& of, std::size_t i) const;

  // Null where it is none; also complains of keys that are not among `keys` ("comment" always is) and of required ones
  // that are missing.
  const Json::Object* object(const Place& at, std::initializer_list<Key> keys);
  // An object with keys of the writer's own, which are names ([A-Za-z_][A-Za-z0-9_]*), at most `most`;
  // `prefix` may stand before them.
  const Json::Object* named_object(const Place& at, std::size_t most, std::string_view noun,
                                   std::string_view prefix = {});
  const Json::Array* array(const Place& at, std::size_t most);
  std::optional<std::string> text(const Place& at);
  // One text or an array of them.
  std::vector<std::string> texts(const Place& at, std::size_t most);
  // A text, a number or true or false, as a formula.
  std::optional<std::string> formula_text(const Place& at);
  std::optional<formula::Tree> formula(const Place& at, const formula::Names& names, formula::Kind kind);

 private:
  std::string_view text_;
  std::string path_;
  Diagnostics faults_;
};

[[nodiscard]] bool is_name(std::string_view text) noexcept;

}  // namespace ballast::schema_file
