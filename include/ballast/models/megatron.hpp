// What layers of GPT-NeoX, BLOOM and the first Falcon share: qkv stored head by head, a plain MLP, biases everywhere,
// norms with beta.
#pragma once

#include "ballast/models/common.hpp"

namespace ballast::models {

struct MegatronBlock {
  Parameter<MegatronQkv> qkv_w;
  Parameter<MegatronQkv> qkv_b;
  Parameter<AttentionOutput> attn_out_w;
  Parameter<AttentionOutput> attn_out_b;
  Parameter<Mlp1> mlp_1_w;
  Parameter<Mlp1> mlp_1_b;
  Parameter<Mlp2> mlp_2_w;
  Parameter<Mlp2> mlp_2_b;
  Parameter<Norm> attn_norm_gamma;
  Parameter<Norm> attn_norm_beta;
  Parameter<Norm> mlp_norm_gamma;
  Parameter<Norm> mlp_norm_beta;

  // GPT-NeoX says "attention", the others "self_attention".
  static constexpr auto param_mapping =
      mapping<MegatronBlock>(from_any({"attention.query_key_value.weight", "self_attention.query_key_value.weight"},
                                      to<&MegatronBlock::qkv_w, &MegatronQkv::params>),
                             from_any({"attention.query_key_value.bias", "self_attention.query_key_value.bias"},
                                      to<&MegatronBlock::qkv_b, &MegatronQkv::params>),
                             from_any({"attention.dense.weight", "self_attention.dense.weight"},
                                      to<&MegatronBlock::attn_out_w, &AttentionOutput::params>),
                             from_any({"attention.dense.bias", "self_attention.dense.bias"},
                                      to<&MegatronBlock::attn_out_b, &AttentionOutput::params>),
                             from("mlp.dense_h_to_4h.weight", to<&MegatronBlock::mlp_1_w, &Mlp1::params>),
                             from("mlp.dense_h_to_4h.bias", to<&MegatronBlock::mlp_1_b, &Mlp1::params>),
                             from("mlp.dense_4h_to_h.weight", to<&MegatronBlock::mlp_2_w, &Mlp2::params>),
                             from("mlp.dense_4h_to_h.bias", to<&MegatronBlock::mlp_2_b, &Mlp2::params>),
                             from("input_layernorm.weight", to<&MegatronBlock::attn_norm_gamma, &Norm::params>),
                             from("input_layernorm.bias", to<&MegatronBlock::attn_norm_beta, &Norm::params>),
                             from("post_attention_layernorm.weight", to<&MegatronBlock::mlp_norm_gamma, &Norm::params>),
                             from("post_attention_layernorm.bias", to<&MegatronBlock::mlp_norm_beta, &Norm::params>));
};
static_assert(well_mapped<MegatronBlock>);

}  // namespace ballast::models
