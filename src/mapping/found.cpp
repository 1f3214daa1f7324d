#include "mapping/found.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::mapper {
namespace {

// One that is filled by hand is not waited for.
bool is_empty(const BoundContainer& container) {
  return container.schema->has_mapping() && std::all_of(container.sources.begin(), container.sources.end(),
                                                        [](std::uint32_t source) { return source == kUnbound; });
}

}  // namespace

bool Found::is_empty_layer(const Binding& binding, std::size_t container) {
  if (container >= n_layers_) return false;
  if (empty_of_ != container) {
    empty_of_ = container;
    empty_ = is_empty(binding.containers[container]);
  }
  return empty_;
}

std::string Found::why_empty(const Binding& binding, std::size_t container) {
  if (layers_found_ == kNone) {
    layers_found_ = n_layers_;
    while (layers_found_ > 0 && is_empty(binding.containers[layers_found_ - 1])) --layers_found_;
  }
  if (layers_found_ == 0) return "none of the model's layers is there: a checkpoint of another architecture";
  if (container < layers_found_) return "nothing of this layer is there: an incomplete checkpoint";
  return fmt::format(
      "the config has {} layers, the checkpoint {}: a config.json of another model, or an incomplete checkpoint",
      n_layers_, layers_found_);
}

std::uint32_t Found::elements(const Binding& binding, std::size_t container, std::uint32_t begin, std::uint32_t end) {
  if (elements_of_ != container || elements_from_ != begin) {
    elements_of_ = container;
    elements_from_ = begin;
    const std::vector<std::uint32_t>& sources = binding.containers[container].sources;
    std::uint32_t last = end;
    while (last > begin && sources[last - 1] == kUnbound) --last;
    elements_ = last - begin;
  }
  return elements_;
}

}  // namespace ballast::mapper
