// A model of two layers and the rest, to hand tensors to.
#pragma once

#include "ballast/model.hpp"
#include "containers/streaming.hpp"

namespace ballast::test {

struct Rest {
  Parameter<Weight> word_emb;
  Parameter<Weight> word_unembed;
  Parameter<Weight> final_norm;

  static constexpr auto param_mapping =
      mapping<Rest>(from("embed.weight", to<&Rest::word_emb, &Weight::params>),
                    from("head.weight", to<&Rest::word_unembed, &Weight::params>).tied_to("embed.weight"),
                    from("final.weight", to<&Rest::final_norm, &Weight::params>));
};
static_assert(well_mapped<Rest>);

[[nodiscard]] inline ContainerMap map_of_two_layers() {
  return ContainerMap()
      .layers({"layers"}, schema_of<Layer>(), 2)
      .non_transformer(schema_of<Rest>())
      .skip("rotary", "recomputed")
      .optional_root("root");
}

[[nodiscard]] inline Model model_of(bool tied = false) {
  auto context = std::make_shared<ModelContext>();
  context->n_layers = 2;
  context->n_experts = 1;
  context->tie_word_embeddings = tied;
  return {context, map_of_two_layers()};
}

inline bool hand_in(Model& model, std::string_view source, Stored one) {
  return model.set_tensor(source, one.tensor, std::move(one.owner));
}

[[nodiscard]] inline std::string state_of(const Model& model) {
  std::string text;
  for (const LayerContainer& container : model.containers()) text += container.name() + ": " + state_of(container);
  return text;
}

// Everything but the head.
inline void hand_in_all(Model& model) {
  for (const std::string layer : {"layers.0.", "layers.1."})
    for (const char* source : {"attn.q.weight", "attn.k.weight", "norm.weight", "mlp.experts.0.weight"})
      hand_in(model, layer + source, stored({1}, {1}));
  hand_in(model, "embed.weight", stored({2, 1}, {5, 6}));
  hand_in(model, "final.weight", stored({1}, {7}));
}

}  // namespace ballast::test
