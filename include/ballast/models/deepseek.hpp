// DeepSeek-V3 and R1: latent attention, a few dense layers, then experts beside shared ones. Query heads have
// qk_nope_head_dim + qk_rope_head_dim rows, value heads (head_size) v_head_dim.
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/blocks.hpp"
#include "ballast/models/moe_layers.hpp"
#include "ballast/policy.hpp"

namespace ballast::models {

struct QueryHeads {  // [heads * (nope + rope), in], whole heads
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_head_rows(params, m.number("query_head_rows")); }
};

struct LatentKvHeads {  // [heads * (nope + v), latent], whole heads
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_head_rows(params, m.number("latent_head_rows")); }
};

struct LatentAttentionBlock {
  Parameter<Replicated> kv_a_w;
  Parameter<Norm> kv_a_norm_gamma;
  Parameter<LatentKvHeads> kv_b_w;
  Parameter<AttentionOutput> attn_out_w;
  Parameter<Norm> attn_norm_gamma;
  Parameter<Norm> mlp_norm_gamma;

  static constexpr auto param_mapping = mapping<LatentAttentionBlock>(
      from("self_attn.kv_a_proj_with_mqa.weight", to<&LatentAttentionBlock::kv_a_w, &Replicated::params>),
      from("self_attn.kv_a_layernorm.weight", to<&LatentAttentionBlock::kv_a_norm_gamma, &Norm::params>),
      from("self_attn.kv_b_proj.weight", to<&LatentAttentionBlock::kv_b_w, &LatentKvHeads::params>),
      from("self_attn.o_proj.weight", to<&LatentAttentionBlock::attn_out_w, &AttentionOutput::params>),
      from("input_layernorm.weight", to<&LatentAttentionBlock::attn_norm_gamma, &Norm::params>),
      from("post_attention_layernorm.weight", to<&LatentAttentionBlock::mlp_norm_gamma, &Norm::params>));
};
static_assert(well_mapped<LatentAttentionBlock>);

struct LowRankQueryBlock {
  Parameter<Replicated> q_a_w;
  Parameter<Norm> q_a_norm_gamma;
  Parameter<QueryHeads> q_b_w;

  static constexpr auto param_mapping = mapping<LowRankQueryBlock>(
      from("self_attn.q_a_proj.weight", to<&LowRankQueryBlock::q_a_w, &Replicated::params>),
      from("self_attn.q_a_layernorm.weight", to<&LowRankQueryBlock::q_a_norm_gamma, &Norm::params>),
      from("self_attn.q_b_proj.weight", to<&LowRankQueryBlock::q_b_w, &QueryHeads::params>));
};
static_assert(well_mapped<LowRankQueryBlock>);

struct FullQueryBlock {  // where q_lora_rank is null
  Parameter<QueryHeads> q_w;

  static constexpr auto param_mapping =
      mapping<FullQueryBlock>(from("self_attn.q_proj.weight", to<&FullQueryBlock::q_w, &QueryHeads::params>));
};
static_assert(well_mapped<FullQueryBlock>);

struct BiasedExpertsBlock : ExpertsBlock, SharedExpertsBlock {
  Parameter<AsStored> moe_gate_b;  // added for choosing experts only, in the precision that it comes in

  static constexpr auto param_mapping = mapping<BiasedExpertsBlock>(
      inherits<ExpertsBlock>, inherits<SharedExpertsBlock>,
      from("mlp.gate.e_score_correction_bias", to<&BiasedExpertsBlock::moe_gate_b, &AsStored::params>));
};
static_assert(well_mapped<BiasedExpertsBlock>);

struct DeepseekDenseLayer : LowRankQueryBlock, LatentAttentionBlock, GatedMlpBlock {
  static constexpr auto param_mapping =
      mapping<DeepseekDenseLayer>(inherits<LowRankQueryBlock>, inherits<LatentAttentionBlock>, inherits<GatedMlpBlock>);
};
struct DeepseekLayer : LowRankQueryBlock, LatentAttentionBlock, BiasedExpertsBlock {
  static constexpr auto param_mapping =
      mapping<DeepseekLayer>(inherits<LowRankQueryBlock>, inherits<LatentAttentionBlock>, inherits<BiasedExpertsBlock>);
};
struct DeepseekFullQueryDenseLayer : FullQueryBlock, LatentAttentionBlock, GatedMlpBlock {
  static constexpr auto param_mapping = mapping<DeepseekFullQueryDenseLayer>(
      inherits<FullQueryBlock>, inherits<LatentAttentionBlock>, inherits<GatedMlpBlock>);
};
struct DeepseekFullQueryLayer : FullQueryBlock, LatentAttentionBlock, BiasedExpertsBlock {
  static constexpr auto param_mapping = mapping<DeepseekFullQueryLayer>(
      inherits<FullQueryBlock>, inherits<LatentAttentionBlock>, inherits<BiasedExpertsBlock>);
};
static_assert(well_mapped<DeepseekDenseLayer> && well_mapped<DeepseekLayer>);
static_assert(well_mapped<DeepseekFullQueryDenseLayer> && well_mapped<DeepseekFullQueryLayer>);

struct DeepseekV3Policy {
  static constexpr std::string_view name = "deepseek_v3";
  static constexpr std::array<std::string_view, 1> model_types{"deepseek_v3"};
  static constexpr std::array<std::string_view, 1> architectures{"DeepseekV3ForCausalLM"};
  using Layer = DeepseekLayer;
  using DenseLayer = DeepseekDenseLayer;
  using NonTransformer = DecoderNonTransformer;

  static ContextRules context() {
    return {
        {"head_size", "config.v_head_dim"},  // "head_dim", where there is one, is the rotary part
        {"n_heads_kv", "n_heads"},           // each head has its own, made from the latent ones
        {"query_head_rows", "config.qk_nope_head_dim + config.qk_rope_head_dim"},
        {"latent_head_rows", "config.qk_nope_head_dim + config.v_head_dim"},
        {"q_lora_rank", "config.q_lora_rank ?? 0"},
        {"kv_lora_rank", "config.kv_lora_rank"},
        {"shared_intermediate_dim", "(config.n_shared_experts ?? 0) * moe_intermediate_dim"},
        {"first_k_dense_replace", "config.first_k_dense_replace ?? 0"},
        {"properties.rope_interleaved", "config.rope_interleave ?? true ? 1 : 0"},
    };
  }
  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .skip("model.layers.{n_layers}", "the layer for predicting several tokens at once (MTP)")
        .layers({"model.layers"},
                {{schema_of<DeepseekDenseLayer>(), "layer < first_k_dense_replace && q_lora_rank > 0"},
                 {schema_of<DeepseekFullQueryDenseLayer>(), "layer < first_k_dense_replace"},
                 {schema_of<DeepseekLayer>(), "q_lora_rank > 0"},
                 {schema_of<DeepseekFullQueryLayer>()}})
        .non_transformer(schema_of<DecoderNonTransformer>())
        .skip("model.layers.*.self_attn.rotary_emb.inv_freq",
              "rotary frequencies of old checkpoints; engines compute them");
  }
};

}  // namespace ballast::models
