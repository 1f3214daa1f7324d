// What a person need not read forty-eight times: names that differ in numbers, and containers that look alike.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ballast::cli {

// "transformer_layer_{0..29}"
[[nodiscard]] std::string fold_container_names(const std::vector<std::string>& names);

// The source names of one parameter in several containers, each container's in the order of its dependencies:
// "model.layers.{0..29}.self_attn.{q,k,v}_proj.weight".
[[nodiscard]] std::string fold_sources(std::span<const std::vector<std::string>> of_containers);

struct Alike {
  std::string name;                  // of all of them, folded
  std::vector<std::size_t> members;  // ascending
};
// Containers whose `looks` are the same, in the order in which they first occur.
[[nodiscard]] std::vector<Alike> fold_alike(const std::vector<std::string>& names,
                                            const std::vector<std::string>& looks);

}  // namespace ballast::cli
