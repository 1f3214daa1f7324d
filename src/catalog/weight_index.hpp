// model.safetensors.index.json: which shard holds which tensor.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/error.hpp"

namespace ballast::catalog {

struct WeightIndex {
  struct Entry {
    std::string tensor;
    std::uint32_t shard;  // index into `shards`
  };
  std::vector<std::string> shards;  // relative to the folder of the index, sorted, each once, none leaves the folder
  std::vector<Entry> entries;       // in the order of the index; tensor names are unique
};

// Faults of single entries are added to `faults` and the entry is left out; a text in which there are no entries to
// find throws Error(index_invalid).
[[nodiscard]] WeightIndex parse_weight_index(const std::string& json, const std::string& path, Diagnostics& faults);

// The shard name without "." and empty components. Nothing where it leaves its folder lexically, or might on another
// system: an index must not be able to name a file that did not come with it.
[[nodiscard]] std::optional<std::string> contained_path(std::string_view shard_name);

}  // namespace ballast::catalog
