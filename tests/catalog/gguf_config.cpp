#include <gtest/gtest.h>

#include "ballast/catalog.hpp"
#include "ballast/model_config.hpp"
#include "support/faults.hpp"
#include "support/gguf_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

GgufWriter llama() {
  GgufWriter writer;
  writer.text("general.architecture", "llama")
      .u32("llama.embedding_length", 576)
      .u32("llama.block_count", 30)
      .u32("llama.attention.head_count", 9)
      .u32("llama.attention.key_length", 64)
      .u32("llama.feed_forward_length", 1536)
      .u32("llama.context_length", 2048)
      .u32("llama.expert_count", 8)
      .tensor("token_embd.weight", DType::F32, {3, 2});
  return writer;
}

ModelConfig config_of(const GgufWriter& writer) {
  const TempFolder folder;
  return open_checkpoint(writer.write(folder / "m.gguf")).config.value();
}

TEST(GgufConfig, NumbersComeFromTheMetadata) {
  const ModelConfig config = config_of(llama().u32("llama.attention.head_count_kv", 3).u64("llama.vocab_size", 49152));
  EXPECT_TRUE(config.from_gguf);
  EXPECT_EQ(config.model_type, "llama");
  EXPECT_EQ(config.model_dim, 576U);
  EXPECT_EQ(config.n_layers, 30U);
  EXPECT_EQ(config.n_heads, 9U);
  EXPECT_EQ(config.n_heads_kv, 3U);
  EXPECT_EQ(config.head_size, 64U);
  EXPECT_EQ(config.intermediate_dim, 1536U);
  EXPECT_EQ(config.vocab_size, 49152U);
  EXPECT_EQ(config.n_experts, 8U);
  EXPECT_EQ(config.max_positions, 2048U);
  EXPECT_EQ(config.tie_word_embeddings, std::nullopt);
  EXPECT_EQ(config.quantisation, "");
  EXPECT_EQ(config.number("llama.block_count"), 30U);
}

TEST(GgufConfig, TheVocabularyIsCountedWhereItsSizeIsNotStated) {
  EXPECT_EQ(config_of(llama().texts("tokenizer.ggml.tokens", {"a", "b", "c"})).vocab_size, 3U);
}

TEST(GgufConfig, ANumberPerLayerCountsWhereAllAreEqual) {
  EXPECT_EQ(config_of(llama().u32s("llama.attention.head_count_kv", {4, 4, 4})).n_heads_kv, 4U);
}

TEST(GgufConfig, NumbersThatDifferFromLayerToLayerAreRefused) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)config_of(llama().u32s("llama.attention.head_count_kv", {4, 0, 4}));
      },
      Errc::config_invalid,
      {"llama.attention.head_count_kv", "differs from layer to layer", "4 for layer 0, 0 for layer 1"}));
}

TEST(GgufConfig, NumbersOfTheWrongKindAreRefusedTogether) {
  GgufWriter writer;
  writer.text("general.architecture", "x").i32("x.block_count", -1).text("x.embedding_length", "8");
  const auto error = error_of([&] { (void)config_of(writer.tensor("a", DType::F32, {1})); });
  EXPECT_TRUE(has_fault(error, Errc::config_invalid, {"x.block_count", "-1"}));
  EXPECT_TRUE(has_fault(error, Errc::config_invalid, {"x.embedding_length", "\"8\""}));
}

TEST(GgufConfig, AConfigJsonBesideTheFileWins) {
  const TempFolder folder;
  folder.write("config.json", R"({"model_type": "json"})");
  const std::string path = llama().write(folder / "m.gguf");
  EXPECT_EQ(open_checkpoint(path).config.value().model_type, "json");
}

TEST(GgufConfig, WithoutAnArchitectureThereAreNoNumbers) {
  const ModelConfig config = config_of(GgufWriter{}.u32("llama.block_count", 3).tensor("a", DType::F32, {1}));
  EXPECT_EQ(config.model_type, "");
  EXPECT_EQ(config.n_layers, 0U);
}

TEST(GgufConfig, MetadataMayBeAbsent) {
  const ModelConfig config = model_config_from_gguf(Value(), "m.gguf");
  EXPECT_TRUE(config.from_gguf);
  EXPECT_EQ(config.model_type, "");
}

}  // namespace
}  // namespace ballast::test
