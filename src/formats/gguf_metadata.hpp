// The key-values of a GGUF header.
#pragma once

#include <cstdint>
#include <string>

#include "ballast/value.hpp"
#include "formats/gguf_cursor.hpp"

namespace ballast {

// Reads `count` key-values. Keys that are there twice are added to `faults`; whatever makes the rest of the header
// unreadable is thrown. `max_values` bounds the keys and array elements together.
[[nodiscard]] Value::Object read_gguf_metadata(GgufCursor& cursor, std::uint64_t count, std::uint64_t max_values,
                                               const std::string& path, Diagnostics& faults);

}  // namespace ballast
