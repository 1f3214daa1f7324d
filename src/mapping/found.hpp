// What of a model's containers a checkpoint has, once all its names are bound: why something is missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "ballast/binding.hpp"

namespace ballast::mapper {

// Asked for every name that is missing, container by container and list by list; each is looked through once.
class Found {
 public:
  explicit Found(std::size_t n_layers) : n_layers_(n_layers) {}

  // Whether a container is a layer of which nothing is there.
  [[nodiscard]] bool is_empty_layer(const Binding& binding, std::size_t container);
  // The sentence for such a layer.
  [[nodiscard]] std::string why_empty(const Binding& binding, std::size_t container);
  // One past the last of the entries [begin, end) that is there, from `begin`.
  [[nodiscard]] std::uint32_t elements(const Binding& binding, std::size_t container, std::uint32_t begin,
                                       std::uint32_t end);

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  std::size_t n_layers_;
  std::size_t layers_found_ = kNone;  // one past the last layer of which there is anything
  std::size_t empty_of_ = kNone;      // the container that `empty_` is about
  bool empty_ = false;
  std::size_t elements_of_ = kNone;  // the container, and the first entry, that `elements_` is about
  std::uint32_t elements_from_ = 0;
  std::uint32_t elements_ = 0;
};

}  // namespace ballast::mapper
