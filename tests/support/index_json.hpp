// The text of a model.safetensors.index.json.
//
//   folder.write("model.safetensors.index.json", index_json({{"a", "model-00001-of-00002.safetensors"}, ...}));
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "support/safetensors_writer.hpp"

namespace ballast::test {

// Pairs of tensor and shard, written in the order given; nothing is checked.
[[nodiscard]] inline std::string index_json(const std::vector<std::pair<std::string, std::string>>& weight_map) {
  std::string json = R"({"metadata": {"total_size": 0}, "weight_map": {)";
  for (const auto& [tensor, shard] : weight_map) {
    if (json.back() != '{') json += ',';
    json += json_string(tensor) + ":" + json_string(shard);
  }
  return json + "}}";
}

}  // namespace ballast::test
