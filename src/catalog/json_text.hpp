// JSON documents beside the weights: config.json and index.json.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "ballast/error.hpp"
#include "ballast/value.hpp"

namespace ballast::catalog {

// What a kind of document may be, and how its faults are called.
struct JsonKind {
  Errc invalid;                // the code of every fault of its contents
  std::string_view noun;       // "config.json"
  std::string_view operation;  // "read config"
  std::uint64_t max_bytes;
};

inline constexpr JsonKind kConfigJson{Errc::config_invalid, "config.json", "read config", 32ULL << 20U};
inline constexpr JsonKind kIndexJson{Errc::index_invalid, "index", "read index", 512ULL << 20U};

// The whole text, with room behind it for simdjson's padding. Throws Error of InputFile, or of `kind.invalid` where
// the file is larger than it may be.
[[nodiscard]] std::string read_json_text(const std::string& path, const JsonKind& kind);

// Throws Error(kind.invalid) where the text is no JSON, with a sentence of its own for what is usually found in the
// place of JSON. The result lives as long as the parser does, and no longer than its next document.
[[nodiscard]] simdjson::dom::element parse_json(simdjson::dom::parser& parser, const std::string& text,
                                                const JsonKind& kind, const std::string& path);

// Python's json module writes NaN, Infinity, -Infinity and integers of any length, all of which simdjson refuses. Here
// the first three become null, and an integer beyond 64 bits becomes a floating-point number. Nothing else changes:
// what was no JSON before still is none.
[[nodiscard]] std::string tolerate_python_numbers(std::string_view json);

// Of members with the same key the last one wins, at the place of the first: as in Python's json, which is what every
// other reader of a config.json uses.
[[nodiscard]] Value to_value(simdjson::dom::element element);

}  // namespace ballast::catalog
