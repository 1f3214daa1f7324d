// Qwen2: a Llama whose query, key and value projections have biases. Names as on the hub, and as in GGUF files.
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/common.hpp"
#include "ballast/models/llama.hpp"
#include "ballast/policy.hpp"

namespace engine {

using namespace ballast;
using models::LlamaLayer, models::LlamaNonTransformer, models::UnfusedQkv;

struct Qwen2Layer : LlamaLayer {
  // Declared again, as a plain fusion: GGUF files of this architecture keep the published order of q and k rows, which
  // those of Llama do not. The rules of the base fill it as before.
  Parameter<UnfusedQkv> qkv_w;
  Parameter<UnfusedQkv> qkv_b;

  static constexpr auto param_mapping = mapping<Qwen2Layer>(
      inherits<LlamaLayer>,
      from_any({"self_attn.q_proj.bias", "attn_q.bias"}, to<&Qwen2Layer::qkv_b, &UnfusedQkv::q_params>),
      from_any({"self_attn.k_proj.bias", "attn_k.bias"}, to<&Qwen2Layer::qkv_b, &UnfusedQkv::k_params>),
      from_any({"self_attn.v_proj.bias", "attn_v.bias"}, to<&Qwen2Layer::qkv_b, &UnfusedQkv::v_params>));
};
static_assert(well_mapped<Qwen2Layer>);

struct Qwen2Policy {
  static constexpr std::string_view name = "qwen2";
  static constexpr std::array<std::string_view, 1> model_types{"qwen2"};
  static constexpr std::array<std::string_view, 1> architectures{"Qwen2ForCausalLM"};
  using Layer = Qwen2Layer;
  using NonTransformer = LlamaNonTransformer;

  static ContextRules context() {
    return {{"tie_absent_head", "from_gguf"}};  // converters leave a tied head out
  }
  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .layers({"model.layers", "blk"}, schema_of<Qwen2Layer>())
        .non_transformer(schema_of<LlamaNonTransformer>())
        .skip("model.layers.*.self_attn.rotary_emb.inv_freq",
              "rotary frequencies of old checkpoints; engines compute them");
  }
};

}  // namespace engine
