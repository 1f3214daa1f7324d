// JSON on standard output. Keys keep the order in which they were added.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "ballast/error.hpp"
#include "ballast/model.hpp"
#include "ballast/shape.hpp"
#include "ballast/value.hpp"

namespace ballast::cli {

using Json = nlohmann::ordered_json;

// One document: what fits in a line is in one, so that a person can read it too. Names may hold any bytes; those that
// are no UTF-8 become U+FFFD.
[[nodiscard]] std::string document(const Json& json);

// Adds a member without looking whether there is one of this name.
void append(Json& object, std::string key, Json value);

[[nodiscard]] Json to_json(const Shape& shape);
[[nodiscard]] Json to_json(const Diagnostic& diagnostic);  // fields that do not apply are left out
// Arrays of more than `most` elements become {"length": n, "first": [...]}.
[[nodiscard]] Json to_json(const Value& value, std::size_t most);
[[nodiscard]] Json to_json(const LoadReport::Seconds& seconds);
// {"error": {"code", "total", "diagnostics"}}
[[nodiscard]] Json error_json(const Error& error);

}  // namespace ballast::cli
