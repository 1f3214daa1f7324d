// Names meet a policy: which stored tensor fills which dependency.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ballast/catalog.hpp"
#include "ballast/container_map.hpp"
#include "ballast/error.hpp"
#include "ballast/schema.hpp"

namespace ballast {

inline constexpr std::uint32_t kUnbound = ~std::uint32_t{0};

// Where a container's dependencies have their entries: for every parameter in turn, for every dependency in turn, one
// (single, optional) or as many as the list is long. The same for all containers of a schema.
struct SlotLayout {
  std::vector<std::uint32_t> parameter_first;   // of each parameter, into dependency_first; one more at the end
  std::vector<std::uint32_t> dependency_first;  // of each dependency, into the entries; one more at the end

  SlotLayout(const ContainerSchema& schema, const ModelContext& context);
  [[nodiscard]] std::uint32_t begin(std::size_t parameter, std::size_t dependency) const {
    return dependency_first[parameter_first[parameter] + dependency];
  }
  [[nodiscard]] std::uint32_t end(std::size_t parameter, std::size_t dependency) const {
    return dependency_first[parameter_first[parameter] + dependency + 1];
  }
  [[nodiscard]] std::uint32_t size() const noexcept { return dependency_first.back(); }
  friend bool operator==(const SlotLayout&, const SlotLayout&) = default;
};

struct BoundContainer {
  std::string name;                         // "transformer_layer_3", "non_transformer"
  const ContainerSchema* schema = nullptr;  // outlives the binding
  std::shared_ptr<const SlotLayout> layout;
  std::vector<std::uint32_t> sources;  // into Catalog::tensors, by `layout`; kUnbound for an absent optional one
  // Parameters that lack a dependency, ascending: none in a binding without faults.
  std::vector<std::uint32_t> incomplete{};
};

struct SkippedTensor {
  std::uint32_t tensor = 0;  // into Catalog::tensors
  std::string reason;        // "old rotary buffers, recomputed by every engine"
};

// The head of a model whose config ties it to the embedding, in a file that holds both.
struct TiedSources {
  std::uint32_t head = 0;  // into Catalog::tensors
  std::uint32_t embedding = 0;
};

struct Binding {
  std::vector<BoundContainer> containers;
  std::vector<SkippedTensor> skipped;
  std::vector<TiedSources> tied_and_stored;  // compared after loading
};

// The binding rules B1-B9. From here on every dependency is bound to a tensor, every tensor is bound or skipped on
// purpose, and nothing is bound twice; or Error is thrown with every fault, runs of names folded into one line each.
// A quantised checkpoint is refused by the name of its scheme.
[[nodiscard]] Binding bind(const Catalog& catalog, const ContainerMap& map, const ModelContext& context);
// The same for a report of more than one stage: what is at fault with names goes to `faults`, and the binding holds
// what fits. Still thrown is what leaves nothing to bind: a quantised checkpoint, a config that asks for absurdly much.
[[nodiscard]] Binding bind(const Catalog& catalog, const ContainerMap& map, const ModelContext& context,
                           Diagnostics& faults);

// "model.layers.{0..47}.mlp.up_proj.weight": names that differ in numbers only, folded (B7). Sorted; at most `most`.
[[nodiscard]] std::vector<std::string> fold_names(std::vector<std::string> names, std::size_t most = 100);

}  // namespace ballast
