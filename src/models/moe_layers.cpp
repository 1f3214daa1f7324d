#include "ballast/models/moe_layers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/error.hpp"

namespace ballast::models {

std::uint64_t require_number(const ModelConfig& config, std::string_view key) {
  if (const auto number = config.number(key); number.value_or(0) != 0) return *number;
  Diagnostic d;
  d.code = Errc::context_invalid;
  d.operation = "read config";
  d.what = fmt::format("the config does not say {}", key);
  d.file = config.path;
  d.expected = "a positive number";
  d.got = "nothing";
  throw Error(std::move(d));
}

void set_experts_after_dense_layers(ModelContext& m, const ModelConfig& config) {
  // Bounded like every number of a config, so that the product is too.
  m.shared_intermediate_dim = std::min<std::uint64_t>(config.number("n_shared_experts").value_or(0), m.n_experts) *
                              std::min<std::uint64_t>(m.moe_intermediate_dim, std::uint64_t{1} << 31);
  const std::uint64_t dense = std::min(config.number("first_k_dense_replace").value_or(0), m.n_layers);
  for (std::uint64_t i = 0; i < dense; ++i) m.dense_layers.push_back(i);
}

std::string next_token_layer(const ModelContext& m) { return fmt::format("model.layers.{}", m.n_layers); }

std::vector<std::uint64_t> dense_layers_by_step(const ModelConfig& config, std::uint64_t n_layers) {
  const std::uint64_t step = std::max<std::uint64_t>(config.number("decoder_sparse_step").value_or(1), 1);
  std::vector<std::uint64_t> listed;
  if (const Value* list = config.find("mlp_only_layers"); list != nullptr && list->array() != nullptr)
    for (const Value& layer : *list->array())
      if (const auto number = layer.unsigned_integer()) listed.push_back(*number);
  std::sort(listed.begin(), listed.end());
  std::vector<std::uint64_t> dense;
  for (std::uint64_t i = 0; i < n_layers; ++i)
    if (config.n_experts == 0 || (i + 1) % step != 0 || std::binary_search(listed.begin(), listed.end(), i))
      dense.push_back(i);
  return dense;
}

}  // namespace ballast::models
