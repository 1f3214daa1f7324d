// What an engine must know of a model's weights beyond their values, and which layers have experts.
#include <gtest/gtest.h>

#include "ballast/models/deepseek.hpp"
#include "ballast/models/qwen3_moe.hpp"
#include "models/expected.hpp"

namespace ballast::test {
namespace {

using Properties = std::map<std::string, std::uint64_t, std::less<>>;

Properties properties_of(const std::string& checkpoint) {
  return prepare(checkpoint_path(checkpoint)).context->properties;
}

TEST(Conventions, AreProperties) {
  EXPECT_EQ(properties_of("gemma2_bf16_sharded"), (Properties{{"norm_weight_offset", 1}}));
  EXPECT_EQ(properties_of("gemma2_gguf_f16"), (Properties{{"norm_weight_offset", 0}})) << "stored as the factor";
  EXPECT_EQ(properties_of("opt_old_names_f16"), (Properties{{"position_emb_offset", 2}}));
  EXPECT_EQ(properties_of("deepseek_v3_mtp_bf16_sharded"), (Properties{{"rope_interleaved", 1}}));
  EXPECT_EQ(properties_of("llama_mha_f32"), Properties{});
}

TEST(Layers, AreDenseWhereTheConfigSaysSo) {
  const LoadedModel deepseek = load(checkpoint_path("deepseek_v3_mtp_bf16_sharded"));
  EXPECT_EQ(deepseek.layer<models::DeepseekDenseLayer>(0).mlp_2_w->shape.rank(), 2U);
  EXPECT_EQ(deepseek.layer<models::DeepseekLayer>(1).moe_mlp_2->shape.rank(), 3U);

  const LoadedModel qwen = load(checkpoint_path("qwen3_moe_dense_layers_bf16"));
  EXPECT_EQ(qwen.layer<models::Qwen3MoeLayer>(1).moe_mlp_1->shape.rank(), 3U);
  for (const std::size_t dense : {0U, 2U, 3U})
    EXPECT_EQ(qwen.layer<models::Qwen3Layer>(dense).mlp_1_w->shape.rank(), 2U) << "every second, but for the last";
}

TEST(Layers, PastTheLastIsSkippedWhereItPredictsFurtherTokens) {
  const LoadedModel deepseek = load(checkpoint_path("deepseek_v3_mtp_bf16_sharded"));
  ASSERT_FALSE(deepseek.report().skipped.empty());
  for (const SkippedTensor& skipped : deepseek.report().skipped) {
    EXPECT_TRUE(deepseek.catalog().tensors[skipped.tensor].name.starts_with("model.layers.2."));
    EXPECT_NE(skipped.reason.find("MTP"), std::string::npos);
  }
}

}  // namespace
}  // namespace ballast::test
