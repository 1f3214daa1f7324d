// Containers to hand tensors to, and everything that can be seen of them.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ballast/container.hpp"
#include "ballast/declare.hpp"

namespace ballast::test {

// A tensor and what keeps its memory alive.
struct Stored {
  Tensor tensor;
  std::shared_ptr<const void> owner;
};

[[nodiscard]] inline Stored stored(const Shape& shape, std::vector<float> values) {
  const auto memory = std::make_shared<std::vector<float>>(std::move(values));
  return {contiguous_tensor(memory->data(), DType::F32, shape), memory};
}
// Of the elements first, first + 1, ...
[[nodiscard]] inline Stored counting(const Shape& shape, float first) {
  std::vector<float> values;
  for (std::uint64_t i = 0; i < shape.numel(); ++i) values.push_back(first + static_cast<float>(i));
  return stored(shape, std::move(values));
}

// Hands it in and lets go of it, as a program does that has no more use for it.
inline void hand_in(LayerContainer& container, std::string_view source, Stored one) {
  container.set_dependency(source, one.tensor, std::move(one.owner));
}

[[nodiscard]] inline std::vector<float> values(const Tensor& tensor) {
  const float* first = tensor.as<float>();
  return {first, first + tensor.shape.numel()};
}

// All that a container shows: equal before and after a call that changed nothing.
[[nodiscard]] inline std::string state_of(const LayerContainer& container) {
  std::string text = fmt::format("{} of {}\n", container.n_finalised(), container.n_params());
  for (const Awaited& one : container.awaited())
    text += fmt::format("awaits {}.{}[{}] from {}{}\n", one.parameter, one.dependency,
                        one.index ? std::to_string(*one.index) : "", one.source, one.optional ? ", or not" : "");
  for (const ParameterState& parameter : container.parameters()) {
    if (!parameter.is_finalised()) continue;
    text += parameter.name() + " is ";
    if (!parameter.value().has_tensor()) text += "nothing";
    if (parameter.value().has_tensor())
      text += fmt::format("{} {} at {}", to_string(parameter.tensor().shape),
                          fmt::join(values(parameter.tensor()), " "), parameter.tensor().data);
    text += "\n";
  }
  return text;
}

// ---- a container with something of each kind

struct Weight {
  Dependency params;
  Recipe finalize(const ModelContext&) const { return params; }
};

struct Fused {
  Dependency q_params, k_params;
  Recipe finalize(const ModelContext&) const { return concat(0, q_params, k_params); }
};

struct Experts {
  DependencyList<&ModelContext::n_experts> experts;
  Recipe finalize(const ModelContext&) const { return experts.size() == 0 ? Recipe::nothing() : stack(experts); }
};

struct Layer {
  Parameter<Fused> qkv_w;
  Parameter<Weight> norm;
  Parameter<Experts> moe_w;

  static constexpr auto param_mapping =
      mapping<Layer>(from("attn.q.weight", to<&Layer::qkv_w, &Fused::q_params>),
                     from("attn.k.weight", to<&Layer::qkv_w, &Fused::k_params>),
                     from_any({"norm.weight", "norm.gamma"}, to<&Layer::norm, &Weight::params>),
                     from("mlp.experts.*.weight", to<&Layer::moe_w, &Experts::experts>));
};
static_assert(well_mapped<Layer>);

[[nodiscard]] inline std::shared_ptr<const ModelContext> context_of(std::uint64_t n_experts = 2) {
  auto context = std::make_shared<ModelContext>();
  context->n_experts = n_experts;
  return context;
}

// An empty one, named as the third layer of a model.
template <class T = Layer>
[[nodiscard]] LayerContainer container_of(std::shared_ptr<const ModelContext> context = context_of()) {
  return {schema_of<T>(), std::move(context), "transformer_layer_3"};
}

}  // namespace ballast::test
