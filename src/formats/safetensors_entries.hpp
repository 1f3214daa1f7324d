// What a safetensors header says, once it is known to be a JSON object.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <string>

#include "ballast/formats.hpp"

namespace ballast {

// Throws Error with every fault of every entry. `header_bytes` counts from the start of the file to its data.
[[nodiscard]] FileHeader read_safetensors_entries(simdjson::dom::object root, std::uint64_t header_bytes,
                                                  std::uint64_t file_bytes, const std::string& path);

}  // namespace ballast
