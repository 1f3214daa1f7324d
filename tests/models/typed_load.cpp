// Loading with the policy known while compiling: layers have their declared types.
#include <gtest/gtest.h>

#include "ballast/models/bert.hpp"
#include "ballast/models/llama.hpp"
#include "models/expected.hpp"
#include "models/tiny_llama.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

using models::BertPolicy;
using models::LlamaPolicy;

TEST(TypedLoad, Llama) {
  const auto model = load<LlamaPolicy>(checkpoint_path("llama_mha_f32"));
  const Tensors expected = read_expected("llama_mha_f32").cases.front().tensors;
  ASSERT_EQ(model.n_layers(), 2U);
  const models::LlamaLayer layer = model.layer(1);
  EXPECT_EQ(layer.qkv_w->shape, (Shape{192, 64}));
  EXPECT_EQ(digest(layer.qkv_w), expected.at("transformer_layer_1.qkv_w")->digest);
  EXPECT_EQ(digest(layer.mlp_norm_gamma), expected.at("transformer_layer_1.mlp_norm_gamma")->digest);
  EXPECT_EQ(digest(model.non_transformer().word_unembed), expected.at("non_transformer.word_unembed")->digest);
}

TEST(TypedLoad, Bert) {
  const auto model = load<BertPolicy>(checkpoint_path("bert_f32"));
  const Tensors expected = read_expected("bert_f32").cases.front().tensors;
  EXPECT_EQ(digest(model.layer(0).attn_norm_beta), expected.at("transformer_layer_0.attn_norm_beta")->digest);
  EXPECT_TRUE(model.non_transformer().pooler_w.has_tensor());
}

TEST(TypedLoad, OptionalParametersOfACheckpointWithoutThemHoldNothing) {
  const auto model = load<BertPolicy>(checkpoint_path("bert_mlm_f16"));
  const models::BertNonTransformer rest = model.non_transformer();
  EXPECT_TRUE(rest.pooler_w.is_loaded());
  EXPECT_FALSE(rest.pooler_w.has_tensor());
  EXPECT_TRUE(fails_with([&] { (void)rest.pooler_w->shape; }, Errc::not_loaded, {"non_transformer.pooler_w"}));
}

TEST(TypedLoad, BiasesOfOtherRanksHoldNothing) {
  LoadOptions options;
  options.tp_size = 2;
  options.tp_rank = 1;
  const auto model = load<BertPolicy>(checkpoint_path("bert_f32"), options);
  EXPECT_FALSE(model.layer(0).attn_out_b.has_tensor());
  EXPECT_TRUE(model.layer(0).mlp_1_b.has_tensor());
}

TEST(TypedLoad, OfAnotherArchitectureIsRefused) {
  EXPECT_TRUE(fails_with([] { (void)load<BertPolicy>(checkpoint_path("llama_mha_f32")); }, Errc::unknown_architecture,
                         {"'llama'", "one of: bert"}));
}

TEST(TypedLoad, OfAnotherModelTypeWorksWhereItIsSaidToBeOfThatKind) {
  const TempFolder folder;
  TinyLlama tiny;
  tiny.model_type = R"("model_type": "quokka",)";
  tiny.architectures.clear();
  tiny.write(folder);
  EXPECT_TRUE(fails_with([&] { (void)load<LlamaPolicy>(folder.path()); }, Errc::unknown_architecture, {"'quokka'"}));
  LoadOptions options;
  options.model_type = "llama";
  EXPECT_EQ(load<LlamaPolicy>(folder.path(), options).n_layers(), 2U);
}

TEST(TypedLoad, LayersStayValidWhenTheModelIsMoved) {
  auto model = load<LlamaPolicy>(checkpoint_path("llama_mha_f32"));
  const models::LlamaLayer layer = model.layer(0);
  const std::string before = digest(layer.qkv_w);
  const auto moved = std::move(model);
  EXPECT_EQ(digest(layer.qkv_w), before);
  EXPECT_EQ(layer.qkv_w->data, moved.layer(0).qkv_w->data);
}

}  // namespace
}  // namespace ballast::test
