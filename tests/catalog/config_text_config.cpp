#include <gtest/gtest.h>

#include "ballast/model_config.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

ModelConfig parse(std::string_view json) { return parse_model_config(json, "config.json"); }

TEST(ConfigTextConfig, SuppliesWhatTheTopLevelLacks) {
  const ModelConfig config = parse(R"({"model_type": "vlm", "vocab_size": 1, "text_config": {"model_type": "text",
      "hidden_size": 2, "vocab_size": 3, "n_layer": 4, "tie_word_embeddings": true, "dtype": "float16"}})");
  EXPECT_EQ(config.model_type, "vlm");
  EXPECT_EQ(config.vocab_size, 1U);
  EXPECT_EQ(config.model_dim, 2U);
  EXPECT_EQ(config.n_layers, 4U);
  EXPECT_EQ(config.tie_word_embeddings, true);
  EXPECT_EQ(config.dtype, DType::F16);
}

TEST(ConfigTextConfig, FaultsNameItsKeys) {
  EXPECT_TRUE(fails_with([] { (void)parse(R"({"text_config": {"hidden_size": -2}})"); }, Errc::config_invalid,
                         {"text_config.hidden_size", "-2"}));
}

TEST(ConfigTextConfig, MayBeNullOrNoObject) {
  EXPECT_EQ(parse(R"({"text_config": null})").model_dim, 0U);
  EXPECT_EQ(parse(R"({"text_config": 3})").model_dim, 0U);
}

}  // namespace
}  // namespace ballast::test
