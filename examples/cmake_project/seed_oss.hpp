// Seed-OSS: a Llama whose query, key and value projections have biases.
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/common.hpp"
#include "ballast/models/llama.hpp"
#include "ballast/policy.hpp"

namespace engine {

using namespace ballast;
using models::LlamaLayer, models::LlamaNonTransformer, models::UnfusedQkv;

struct SeedOssLayer : LlamaLayer {
  // Declared again, as a plain fusion: Llama's puts the rows of GGUF files back into order. The rules of the base fill
  // it as before.
  Parameter<UnfusedQkv> qkv_w;
  Parameter<UnfusedQkv> qkv_b;

  static constexpr auto param_mapping = mapping<SeedOssLayer>(
      inherits<LlamaLayer>, from("self_attn.q_proj.bias", to<&SeedOssLayer::qkv_b, &UnfusedQkv::q_params>),
      from("self_attn.k_proj.bias", to<&SeedOssLayer::qkv_b, &UnfusedQkv::k_params>),
      from("self_attn.v_proj.bias", to<&SeedOssLayer::qkv_b, &UnfusedQkv::v_params>));
};
static_assert(well_mapped<SeedOssLayer>);

struct SeedOssPolicy {
  static constexpr std::string_view name = "seed_oss";
  static constexpr std::array<std::string_view, 1> model_types{"seed_oss"};
  static constexpr std::array<std::string_view, 1> architectures{"SeedOssForCausalLM"};
  using Layer = SeedOssLayer;
  using NonTransformer = LlamaNonTransformer;

  static ContextRules context() {
    return {{"head_size", "head_size ?? 128"}};  // what a config that is silent means
  }
  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .layers({"model.layers"}, schema_of<SeedOssLayer>())
        .non_transformer(schema_of<LlamaNonTransformer>())
        .skip("model.layers.*.self_attn.rotary_emb.inv_freq",
              "rotary frequencies of old checkpoints; engines compute them");
  }
};

}  // namespace engine
