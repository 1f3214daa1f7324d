// A checkpoint that does not fit is refused with every fault, folded, before a byte of weights is read.
#include <gtest/gtest.h>

#include "models/expected.hpp"
#include "models/tiny_llama.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

class FaultsBeforeReading : public testing::Test {
 protected:
  // What loading says; nothing has been read by then.
  std::optional<Error> error_of_load(const std::string& path, const std::string& model_type = {}) {
    LoadOptions options = without_reading(has_read_);
    options.model_type = model_type;
    auto error = error_of([&] { (void)load(path, options); });
    EXPECT_FALSE(has_read_);
    return error;
  }
  std::optional<Error> error_of_load(const TinyLlama& tiny) {
    const TempFolder folder;
    return error_of_load(tiny.write(folder));
  }

 private:
  bool has_read_ = false;
};

TEST_F(FaultsBeforeReading, AnotherArchitecture) {
  const auto error = error_of_load(checkpoint_path("bert_f32"), "llama");
  EXPECT_TRUE(has_fault(error, Errc::name_unclaimed,
                        {"2 tensors", "encoder.layer.{0..1}.attention.self.query.weight", "another architecture"}));
  EXPECT_TRUE(has_fault(
      error, Errc::dependency_missing,
      {"2 tensors", "model.layers.{0..1}.self_attn.q_proj.weight", "transformer_layer_{0..1}.qkv_w.q_params"}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"non_transformer.final_norm.params"}));
  // 16 tensors of each of 2 layers and 7 others that nothing takes; 9 of each layer and 3 others that are missing: the
  // head too, which is tied to an embedding that is missing itself.
  EXPECT_EQ(count_faults(error, Errc::name_unclaimed), 16U + 7U);
  EXPECT_EQ(count_faults(error, Errc::dependency_missing), 9U + 3U);
  // And first of all, what that means.
  EXPECT_EQ(error->code(), Errc::another_architecture);
  EXPECT_EQ(error->total(), 1U + 16U + 7U + 9U + 3U);
}

TEST_F(FaultsBeforeReading, ConfigOfAnotherWidth) {
  TinyLlama tiny;
  tiny.model_dim = 64;
  const auto error = error_of_load(tiny);
  EXPECT_TRUE(has_fault(
      error, Errc::shape_mismatch,
      {"non_transformer.word_emb", "model.embed_tokens.weight", "64", "[8, 32]", "a config.json of another model"}));
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch, {"qkv_w"}));
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch, {"mlp_1_w"}));
  EXPECT_GE(error->total(), 4U);
}

TEST_F(FaultsBeforeReading, ConfigOfAnotherIntermediateDimension) {
  TinyLlama tiny;
  tiny.inter = 128;
  const auto error = error_of_load(tiny);
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch, {"mlp_1_w", "128", "[64, 32]"}));
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch, {"mlp_2_w", "128", "[32, 64]"}));
}

TEST_F(FaultsBeforeReading, ConfigOfALargerVocabulary) {
  TinyLlama tiny;
  tiny.vocab = 9;
  EXPECT_TRUE(has_fault(error_of_load(tiny), Errc::shape_mismatch, {"word_emb", "9", "[8, 32]"}));
}

TEST_F(FaultsBeforeReading, ConfigOfMoreLayers) {
  TinyLlama tiny;
  tiny.layers = 4;
  EXPECT_TRUE(has_fault(error_of_load(tiny), Errc::dependency_missing,
                        {"model.layers.{2..3}.mlp.down_proj.weight", "transformer_layer_{2..3}.mlp_2_w"}));
}

TEST_F(FaultsBeforeReading, ConfigOfFewerLayers) {
  TinyLlama tiny;
  tiny.layers = 1;
  EXPECT_TRUE(has_fault(error_of_load(tiny), Errc::layer_index_out_of_range,
                        {"9 tensors", "model.layers.1.*", "a layer number below 1", "MTP"}));
}

TEST_F(FaultsBeforeReading, ConfigWithoutNumbers) {
  TinyLlama tiny;
  tiny.heads = 0;
  tiny.layers = 0;
  const auto error = error_of_load(tiny);
  EXPECT_TRUE(has_fault(error, Errc::context_invalid, {"num_attention_heads"}));
  EXPECT_TRUE(has_fault(error, Errc::context_invalid, {"num_hidden_layers"}));
}

TEST_F(FaultsBeforeReading, RanksThatDoNotFit) {
  const TempFolder folder;
  TinyLlama().write(folder);
  bool has_read = false;
  LoadOptions options = without_reading(has_read);
  options.tp_size = 2;
  options.tp_rank = 2;
  EXPECT_TRUE(fails_with([&] { (void)load(folder.path(), options); }, Errc::invalid_sharding));
  options.tp_size = 5;
  EXPECT_TRUE(fails_with([&] { (void)load(folder.path(), options); }, Errc::invalid_sharding, {"qkv_w"}));
  EXPECT_FALSE(has_read);
}

}  // namespace
}  // namespace ballast::test
