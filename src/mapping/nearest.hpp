// What an unknown name was most likely meant to be.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "ballast/container_map.hpp"
#include "ballast/schema.hpp"

namespace ballast::mapper {

// Edits (insert, delete, replace) from one text to another, or `most` + 1 where there are more.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most);

// The mapping's source name that is most like `local`, or an empty text where none is near.
[[nodiscard]] std::string nearest_source(const ContainerSchema& schema, std::string_view local);

// The same for a full name: as it would stand in the checkpoint. A layer's name behind an unknown path
// ("decoder.layers.0.attn.weight") is known by what follows its number.
[[nodiscard]] std::string nearest_name(const ContainerMap& map, std::string_view name);

}  // namespace ballast::mapper
