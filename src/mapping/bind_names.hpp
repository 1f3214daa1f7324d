// How a checkpoint spells its names, of all the ways that a container map and its rules allow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ballast/catalog.hpp"
#include "ballast/container_map.hpp"
#include "ballast/schema.hpp"

namespace ballast::mapper {

// A name that is missing is said as this checkpoint would spell it: `blk.3.attn_q.weight` where the others are like
// that, and not `model.layers.3.self_attn.q_proj.weight`.
class NameSpelling {
 public:
  NameSpelling(const Catalog& catalog, const ContainerMap& map) : catalog_(catalog), map_(map) {}

  // A rule with several sources has been found by this one.
  void note_alternative(std::size_t alternative);
  // Which of a rule's sources this checkpoint would most likely have.
  [[nodiscard]] std::size_t likely_alternative(const MappingRule& rule) const;
  // The sources of a rule but one, for a sentence: "'a' or 'b'".
  [[nodiscard]] static std::string others(const MappingRule& rule, std::size_t but);
  // A companion of quantised weights was found; and whether there is one beside a name.
  void note_companion(std::string_view name);
  [[nodiscard]] bool has_companion(std::string_view name) const;
  [[nodiscard]] bool has_companions() const noexcept { return !quantised_.empty(); }
  // The whole name of what a container (by its number over all groups) calls `local`, `element` in place of '*'.
  [[nodiscard]] std::string full_name(std::size_t container, std::string local, std::uint32_t element);

 private:
  void look();
  [[nodiscard]] std::string_view without_root(std::string_view name) const;

  const Catalog& catalog_;
  const ContainerMap& map_;
  std::vector<std::size_t> alternatives_;      // how often each was found
  std::unordered_set<std::string> quantised_;  // stems of companions: "model.layers.0.self_attn.q_proj"
  // Known once something is missing:
  std::string root_;                   // with its dot; empty where the names have none
  std::vector<std::string> prefixes_;  // of each layer group
  bool looked_ = false;
};

}  // namespace ballast::mapper
