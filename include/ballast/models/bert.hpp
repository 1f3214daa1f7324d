// BERT encoders: names with and without the leading "bert.".
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/common.hpp"
#include "ballast/policy.hpp"

namespace ballast::models {

struct BertLayer {
  Parameter<UnfusedQkv> qkv_w;
  Parameter<UnfusedQkv> qkv_b;
  Parameter<AttentionOutput> attn_out_w;
  Parameter<AttentionOutput> attn_out_b;
  Parameter<Norm> attn_norm_gamma;
  Parameter<Norm> attn_norm_beta;
  Parameter<Mlp1> mlp_1_w;
  Parameter<Mlp1> mlp_1_b;
  Parameter<Mlp2> mlp_2_w;
  Parameter<Mlp2> mlp_2_b;
  Parameter<Norm> mlp_norm_gamma;
  Parameter<Norm> mlp_norm_beta;

  // Checkpoints converted from TensorFlow call the norm's weight gamma and its bias beta.
  static constexpr auto param_mapping = mapping<BertLayer>(
      from("attention.self.query.weight", to<&BertLayer::qkv_w, &UnfusedQkv::q_params>),
      from("attention.self.key.weight", to<&BertLayer::qkv_w, &UnfusedQkv::k_params>),
      from("attention.self.value.weight", to<&BertLayer::qkv_w, &UnfusedQkv::v_params>),
      from("attention.self.query.bias", to<&BertLayer::qkv_b, &UnfusedQkv::q_params>),
      from("attention.self.key.bias", to<&BertLayer::qkv_b, &UnfusedQkv::k_params>),
      from("attention.self.value.bias", to<&BertLayer::qkv_b, &UnfusedQkv::v_params>),
      from("attention.output.dense.weight", to<&BertLayer::attn_out_w, &AttentionOutput::params>),
      from("attention.output.dense.bias", to<&BertLayer::attn_out_b, &AttentionOutput::params>),
      from_any({"attention.output.LayerNorm.weight", "attention.output.LayerNorm.gamma"},
               to<&BertLayer::attn_norm_gamma, &Norm::params>),
      from_any({"attention.output.LayerNorm.bias", "attention.output.LayerNorm.beta"},
               to<&BertLayer::attn_norm_beta, &Norm::params>),
      from("intermediate.dense.weight", to<&BertLayer::mlp_1_w, &Mlp1::params>),
      from("intermediate.dense.bias", to<&BertLayer::mlp_1_b, &Mlp1::params>),
      from("output.dense.weight", to<&BertLayer::mlp_2_w, &Mlp2::params>),
      from("output.dense.bias", to<&BertLayer::mlp_2_b, &Mlp2::params>),
      from_any({"output.LayerNorm.weight", "output.LayerNorm.gamma"}, to<&BertLayer::mlp_norm_gamma, &Norm::params>),
      from_any({"output.LayerNorm.bias", "output.LayerNorm.beta"}, to<&BertLayer::mlp_norm_beta, &Norm::params>));
};
static_assert(well_mapped<BertLayer>);

struct BertNonTransformer {
  Parameter<Embedding> word_emb;
  Parameter<Replicated> position_emb;
  Parameter<Replicated> token_type_emb;
  Parameter<Norm> emb_norm_gamma;
  Parameter<Norm> emb_norm_beta;
  Parameter<OptionalReplicated> pooler_w;
  Parameter<OptionalReplicated> pooler_b;

  static constexpr auto param_mapping = mapping<BertNonTransformer>(
      from("embeddings.word_embeddings.weight", to<&BertNonTransformer::word_emb, &Embedding::params>),
      from("embeddings.position_embeddings.weight", to<&BertNonTransformer::position_emb, &Replicated::params>),
      from("embeddings.token_type_embeddings.weight", to<&BertNonTransformer::token_type_emb, &Replicated::params>),
      from_any({"embeddings.LayerNorm.weight", "embeddings.LayerNorm.gamma"},
               to<&BertNonTransformer::emb_norm_gamma, &Norm::params>),
      from_any({"embeddings.LayerNorm.bias", "embeddings.LayerNorm.beta"},
               to<&BertNonTransformer::emb_norm_beta, &Norm::params>),
      from("pooler.dense.weight", to<&BertNonTransformer::pooler_w, &OptionalReplicated::params>),
      from("pooler.dense.bias", to<&BertNonTransformer::pooler_b, &OptionalReplicated::params>));
};
static_assert(well_mapped<BertNonTransformer>);

struct BertPolicy {
  static constexpr std::string_view name = "bert";
  static constexpr std::array<std::string_view, 1> model_types{"bert"};
  static constexpr std::array<std::string_view, 4> architectures{"BertModel", "BertForMaskedLM", "BertForPreTraining",
                                                                 "BertForSequenceClassification"};
  using Layer = BertLayer;
  using NonTransformer = BertNonTransformer;

  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .optional_root("bert")
        .layers({"encoder.layer"}, schema_of<BertLayer>())
        .non_transformer(schema_of<BertNonTransformer>())
        .skip("embeddings.position_ids", "a buffer of 0, 1, 2, ...")
        .skip("cls", "heads for pre-training")
        .skip("classifier", "a head for classification");
  }
};

}  // namespace ballast::models
