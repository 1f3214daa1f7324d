// Groups of parameters that layers of many architectures share, to be inherited from. Names as published on the hub
// (relative to model.layers.N) and as in GGUF files (blk.N).
#pragma once

#include "ballast/models/common.hpp"

namespace ballast::models {

struct AttentionBlock {  // without biases, norms before attention and MLP
  Parameter<UnfusedQkv> qkv_w;
  Parameter<AttentionOutput> attn_out_w;
  Parameter<Norm> attn_norm_gamma;
  Parameter<Norm> mlp_norm_gamma;

  static constexpr auto param_mapping = mapping<AttentionBlock>(
      from_any({"self_attn.q_proj.weight", "attn_q.weight"}, to<&AttentionBlock::qkv_w, &UnfusedQkv::q_params>),
      from_any({"self_attn.k_proj.weight", "attn_k.weight"}, to<&AttentionBlock::qkv_w, &UnfusedQkv::k_params>),
      from_any({"self_attn.v_proj.weight", "attn_v.weight"}, to<&AttentionBlock::qkv_w, &UnfusedQkv::v_params>),
      from_any({"self_attn.o_proj.weight", "attn_output.weight"},
               to<&AttentionBlock::attn_out_w, &AttentionOutput::params>),
      from_any({"input_layernorm.weight", "attn_norm.weight"}, to<&AttentionBlock::attn_norm_gamma, &Norm::params>),
      from_any({"post_attention_layernorm.weight", "ffn_norm.weight"},
               to<&AttentionBlock::mlp_norm_gamma, &Norm::params>));
};
static_assert(well_mapped<AttentionBlock>);

struct QkvBiasBlock {
  Parameter<UnfusedQkv> qkv_b;

  static constexpr auto param_mapping = mapping<QkvBiasBlock>(
      from_any({"self_attn.q_proj.bias", "attn_q.bias"}, to<&QkvBiasBlock::qkv_b, &UnfusedQkv::q_params>),
      from_any({"self_attn.k_proj.bias", "attn_k.bias"}, to<&QkvBiasBlock::qkv_b, &UnfusedQkv::k_params>),
      from_any({"self_attn.v_proj.bias", "attn_v.bias"}, to<&QkvBiasBlock::qkv_b, &UnfusedQkv::v_params>));
};
static_assert(well_mapped<QkvBiasBlock>);

// The same of models that may lack it. Published names only.
struct OptionalQkvBiasBlock {
  Parameter<OptionalUnfusedQkv> qkv_b;

  static constexpr auto param_mapping = mapping<OptionalQkvBiasBlock>(
      from("self_attn.q_proj.bias", to<&OptionalQkvBiasBlock::qkv_b, &OptionalUnfusedQkv::q_params>),
      from("self_attn.k_proj.bias", to<&OptionalQkvBiasBlock::qkv_b, &OptionalUnfusedQkv::k_params>),
      from("self_attn.v_proj.bias", to<&OptionalQkvBiasBlock::qkv_b, &OptionalUnfusedQkv::v_params>));
};
static_assert(well_mapped<OptionalQkvBiasBlock>);

struct BiasedQkvBlock {  // weights and biases. Published names only
  Parameter<UnfusedQkv> qkv_w;
  Parameter<UnfusedQkv> qkv_b;

  static constexpr auto param_mapping =
      mapping<BiasedQkvBlock>(from("self_attn.q_proj.weight", to<&BiasedQkvBlock::qkv_w, &UnfusedQkv::q_params>),
                              from("self_attn.k_proj.weight", to<&BiasedQkvBlock::qkv_w, &UnfusedQkv::k_params>),
                              from("self_attn.v_proj.weight", to<&BiasedQkvBlock::qkv_w, &UnfusedQkv::v_params>),
                              from("self_attn.q_proj.bias", to<&BiasedQkvBlock::qkv_b, &UnfusedQkv::q_params>),
                              from("self_attn.k_proj.bias", to<&BiasedQkvBlock::qkv_b, &UnfusedQkv::k_params>),
                              from("self_attn.v_proj.bias", to<&BiasedQkvBlock::qkv_b, &UnfusedQkv::v_params>));
};
static_assert(well_mapped<BiasedQkvBlock>);

struct QkNormBlock {  // norms of queries and keys
  Parameter<Norm> q_norm_gamma;
  Parameter<Norm> k_norm_gamma;

  static constexpr auto param_mapping = mapping<QkNormBlock>(
      from_any({"self_attn.q_norm.weight", "attn_q_norm.weight"}, to<&QkNormBlock::q_norm_gamma, &Norm::params>),
      from_any({"self_attn.k_norm.weight", "attn_k_norm.weight"}, to<&QkNormBlock::k_norm_gamma, &Norm::params>));
};
static_assert(well_mapped<QkNormBlock>);

struct GatedMlpBlock {
  Parameter<GatedMlp1> mlp_1_w;
  Parameter<Mlp2> mlp_2_w;

  static constexpr auto param_mapping = mapping<GatedMlpBlock>(
      from_any({"mlp.gate_proj.weight", "ffn_gate.weight"}, to<&GatedMlpBlock::mlp_1_w, &GatedMlp1::gate_params>),
      from_any({"mlp.up_proj.weight", "ffn_up.weight"}, to<&GatedMlpBlock::mlp_1_w, &GatedMlp1::up_params>),
      from_any({"mlp.down_proj.weight", "ffn_down.weight"}, to<&GatedMlpBlock::mlp_2_w, &Mlp2::params>));
};
static_assert(well_mapped<GatedMlpBlock>);

struct DecoderNonTransformer {  // embedding, head, final norm
  Parameter<Embedding> word_emb;
  Parameter<Unembed> word_unembed;
  Parameter<Norm> final_norm;

  static constexpr auto param_mapping = mapping<DecoderNonTransformer>(
      from_any({"model.embed_tokens.weight", "token_embd.weight"},
               to<&DecoderNonTransformer::word_emb, &Embedding::params>),
      from_any({"lm_head.weight", "output.weight"}, to<&DecoderNonTransformer::word_unembed, &Unembed::params>)
          .tied_to("model.embed_tokens.weight", "token_embd.weight"),
      from_any({"model.norm.weight", "output_norm.weight"}, to<&DecoderNonTransformer::final_norm, &Norm::params>));
};
static_assert(well_mapped<DecoderNonTransformer>);

}  // namespace ballast::models
