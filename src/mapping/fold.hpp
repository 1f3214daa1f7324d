// Folding names that differ in numbers only, and which names went into each line.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ballast::mapper {

struct Fold {
  std::string line;                  // "model.layers.{0..47}.mlp.up_proj.weight"
  std::vector<std::size_t> members;  // indices of the names that it stands for, ascending
};

// Sorted by line.
[[nodiscard]] std::vector<Fold> fold(std::span<const std::string> names);

// The same for container names: "transformer_layer_{0..3}".
[[nodiscard]] std::string fold_containers(std::vector<std::string> names);

}  // namespace ballast::mapper
