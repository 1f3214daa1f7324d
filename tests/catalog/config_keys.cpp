#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ballast/model_config.hpp"

namespace ballast::test {
namespace {

ModelConfig parse(std::string_view json) { return parse_model_config(json, "config.json"); }

TEST(ConfigKeys, ALlamaConfig) {
  const ModelConfig config = parse(R"({
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 576, "num_hidden_layers": 30,
    "num_attention_heads": 9, "num_key_value_heads": 3, "head_dim": 64, "intermediate_size": 1536,
    "vocab_size": 49152, "max_position_embeddings": 2048, "tie_word_embeddings": true, "torch_dtype": "bfloat16"})");
  EXPECT_EQ(config.path, "config.json");
  EXPECT_FALSE(config.from_gguf);
  EXPECT_EQ(config.model_type, "llama");
  EXPECT_THAT(config.architectures, testing::ElementsAre("LlamaForCausalLM"));
  EXPECT_EQ(config.model_dim, 576U);
  EXPECT_EQ(config.n_layers, 30U);
  EXPECT_EQ(config.n_heads, 9U);
  EXPECT_EQ(config.n_heads_kv, 3U);
  EXPECT_EQ(config.head_size, 64U);
  EXPECT_EQ(config.intermediate_dim, 1536U);
  EXPECT_EQ(config.vocab_size, 49152U);
  EXPECT_EQ(config.max_positions, 2048U);
  EXPECT_EQ(config.tie_word_embeddings, true);
  EXPECT_EQ(config.dtype, DType::BF16);
  EXPECT_EQ(config.n_experts, 0U);
  EXPECT_EQ(config.quantisation, "");
}

TEST(ConfigKeys, EveryAlternativeName) {
  const std::pair<std::uint64_t ModelConfig::*, std::vector<std::string>> kNames[] = {
      {&ModelConfig::model_dim, {"hidden_size", "n_embd", "d_model", "dim"}},
      {&ModelConfig::n_layers, {"num_hidden_layers", "n_layer", "n_layers", "num_layers"}},
      {&ModelConfig::n_heads, {"num_attention_heads", "n_head", "n_heads"}},
      {&ModelConfig::n_heads_kv, {"num_key_value_heads", "n_head_kv", "num_kv_heads"}},
      {&ModelConfig::head_size, {"head_dim"}},
      {&ModelConfig::intermediate_dim, {"intermediate_size", "n_inner", "ffn_dim", "d_ff", "ffn_hidden_size"}},
      {&ModelConfig::vocab_size, {"vocab_size"}},
      {&ModelConfig::n_experts, {"num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"}},
      {&ModelConfig::max_positions, {"max_position_embeddings", "n_positions", "max_sequence_length", "seq_length"}},
      {&ModelConfig::type_vocab_size, {"type_vocab_size"}}};
  for (const auto& [member, names] : kNames)
    for (const std::string& name : names) EXPECT_EQ(parse("{\"" + name + "\": 12}").*member, 12U) << name;
}

TEST(ConfigKeys, TheFirstNameInTheListWins) {
  EXPECT_EQ(parse(R"({"n_embd": 1, "hidden_size": 2})").model_dim, 2U);
  EXPECT_EQ(parse(R"({"torch_dtype": "float16", "dtype": "float32"})").dtype, DType::F32);
}

TEST(ConfigKeys, NullCountsAsAbsent) {
  const ModelConfig config = parse(R"({"hidden_size": null, "n_embd": 3, "n_inner": null, "architectures": null,
      "model_type": null, "tie_word_embeddings": null, "quantization_config": null, "dtype": null})");
  EXPECT_EQ(config.model_dim, 3U);
  EXPECT_EQ(config.intermediate_dim, 0U);
  EXPECT_EQ(config.tie_word_embeddings, std::nullopt);
  EXPECT_EQ(config.quantisation, "");
}

TEST(ConfigKeys, AWholeNumberMayBeWrittenAsAFraction) { EXPECT_EQ(parse(R"({"hidden_size": 768.0})").model_dim, 768U); }

TEST(ConfigKeys, ANumberPerLayerCountsWhereAllAreEqual) {
  EXPECT_EQ(parse(R"({"intermediate_size": [8, 8, 8]})").intermediate_dim, 8U);
}

TEST(ConfigKeys, ADtypeThatIsNoneIsNothing) {
  EXPECT_EQ(parse(R"({"torch_dtype": "auto"})").dtype, std::nullopt);
  EXPECT_EQ(parse(R"({"dtype": {"": "float16"}})").dtype, std::nullopt);
}

TEST(ConfigKeys, AMissingModelTypeIsNoFaultHere) { EXPECT_EQ(parse("{}").model_type, ""); }

}  // namespace
}  // namespace ballast::test
