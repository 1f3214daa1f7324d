// Which names of a checkpoint go to which container.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/schema.hpp"

namespace ballast {

// Prefixes end at a segment boundary: "model.layers" takes "model.layers.3.x" and never "model.layers_norm". A name
// goes to the first of these that takes it: a skip, a layer, the rest.
class ContainerMap {
 public:
  struct Skip {
    std::string pattern;  // a prefix of whole segments; `*` is any one segment
    std::string reason;
    friend bool operator==(const Skip&, const Skip&) = default;
  };
  struct Layers {
    std::vector<std::string> prefixes;            // alternatives: "model.layers", "blk"
    std::vector<const ContainerSchema*> schemas;  // of each layer
    friend bool operator==(const Layers&, const Layers&) = default;
  };

  // `count` layers alike, named transformer_layer_0 ... A layer's number is the segment after the prefix, the rest of
  // the name is looked up in the schema.
  ContainerMap& layers(std::vector<std::string> prefixes, const ContainerSchema& schema, std::uint64_t count);
  // One schema for each layer.
  ContainerMap& layers(std::vector<std::string> prefixes, std::vector<const ContainerSchema*> schemas);
  // Everything that is neither a layer nor skipped, by its full name.
  ContainerMap& non_transformer(const ContainerSchema& schema);
  // Names that are left out on purpose. They are counted, and listed on demand.
  ContainerMap& skip(std::string pattern, std::string reason);
  // A leading path that some checkpoints put before all their names, and others leave out ("bert").
  ContainerMap& optional_root(std::string root);

  [[nodiscard]] const std::vector<Layers>& layer_groups() const noexcept { return layers_; }
  [[nodiscard]] const ContainerSchema* rest() const noexcept { return rest_; }
  [[nodiscard]] const std::vector<Skip>& skips() const noexcept { return skips_; }
  [[nodiscard]] const std::vector<std::string>& roots() const noexcept { return roots_; }

  enum class RouteKind : std::uint8_t { skip, layer, rest, bad_layer };
  struct Route {
    RouteKind kind = RouteKind::rest;
    std::size_t container = 0;  // layer: its number over all layer groups; skip: index into skips()
    std::string_view local;     // the name within the container
    std::string_view index;     // bad_layer: the segment where the layer's number should be
  };
  [[nodiscard]] Route route(std::string_view tensor_name) const noexcept;
  [[nodiscard]] std::uint64_t n_layers() const noexcept;

  // The same names to the same schemas.
  friend bool operator==(const ContainerMap&, const ContainerMap&) = default;

 private:
  std::vector<Skip> skips_;
  std::vector<Layers> layers_;
  const ContainerSchema* rest_ = nullptr;
  std::vector<std::string> roots_;
};

}  // namespace ballast
