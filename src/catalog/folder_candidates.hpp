// Which checkpoints a folder holds, told from the names in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ballast::catalog {

// One checkpoint: an index, or a weight file, or a set of shards named <stem>-<i>-of-<n>.<extension>.
struct Candidate {
  std::string label;               // how a person is told of it
  std::string index;               // name of the index; empty where there is none
  std::vector<std::string> files;  // names of the weight files; of a set also those that are not there
};

// Sorted by name. Adapters are left out, and so is what has an index or a single file with the same stem:
// `model.safetensors` comes before `model.safetensors.index.json`, as in transformers, and that before shards.
[[nodiscard]] std::vector<Candidate> find_candidates(const std::vector<std::string>& names);

[[nodiscard]] bool is_adapter(std::string_view name) noexcept;

}  // namespace ballast::catalog
