#include <gtest/gtest.h>

#include <filesystem>

#include "ballast/catalog.hpp"
#include "ballast/model_config.hpp"
#include "support/faults.hpp"
#include "support/safetensors_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

ModelConfig parse(std::string_view json) { return parse_model_config(json, "config.json"); }

testing::AssertionResult config_fails(std::string_view json, std::initializer_list<std::string_view> parts) {
  return fails_with([&] { (void)parse(json); }, Errc::config_invalid, parts);
}

TEST(ConfigFaults, NumbersOfTheWrongKind) {
  EXPECT_TRUE(config_fails(R"({"hidden_size": "768"})",
                           {R"("hidden_size")", "a whole number, not negative", R"(the string "768")", "config.json"}));
  EXPECT_TRUE(config_fails(R"({"n_layer": -1})", {R"("n_layer")", "got:      -1"}));
  EXPECT_TRUE(config_fails(R"({"n_head": 1.5})", {R"("n_head")", "got:      1.5"}));
  EXPECT_TRUE(config_fails(R"({"vocab_size": true})", {R"("vocab_size")", "true"}));
  EXPECT_TRUE(config_fails(R"({"vocab_size": {}})", {"an object"}));
  EXPECT_TRUE(config_fails(R"({"vocab_size": []})", {"an array of length 0"}));
  EXPECT_TRUE(config_fails(R"({"vocab_size": 99999999999999999999999})", {R"("vocab_size")", "1e+23"}));
}

TEST(ConfigFaults, AllTogether) {
  const auto error = error_of([] { (void)parse(R"({"hidden_size": "1", "n_layer": -1, "tie_word_embeddings": 1})"); });
  EXPECT_TRUE(has_fault(error, Errc::config_invalid, {"hidden_size"}));
  EXPECT_TRUE(has_fault(error, Errc::config_invalid, {"n_layer"}));
  EXPECT_TRUE(has_fault(error, Errc::config_invalid, {"tie_word_embeddings", "true or false"}));
  EXPECT_EQ(error->total(), 3U);
}

TEST(ConfigFaults, NumbersThatDifferFromLayerToLayer) {
  EXPECT_TRUE(config_fails(R"({"intermediate_size": [8, 8, 16]})",
                           {"intermediate_size", "differs from layer to layer", "8 for layer 0, 16 for layer 2"}));
  EXPECT_TRUE(config_fails(R"({"intermediate_size": [8, "8"]})", {"intermediate_size[1]", R"(the string "8")"}));
}

TEST(ConfigFaults, OtherMembersOfTheWrongKind) {
  EXPECT_TRUE(config_fails(R"({"model_type": 3})", {"model_type", "a string"}));
  EXPECT_TRUE(config_fails(R"({"architectures": "Llama"})", {"architectures", "an array of strings"}));
  EXPECT_TRUE(config_fails(R"({"architectures": [1]})", {"architectures", "an array of strings"}));
  EXPECT_TRUE(config_fails(R"({"quantization_config": "gptq"})", {"quantization_config", "an object"}));
}

TEST(ConfigFaults, NoJsonObject) {
  EXPECT_TRUE(config_fails("", {"config.json is empty"}));
  EXPECT_TRUE(config_fails("{", {"not valid JSON"}));
  EXPECT_TRUE(config_fails("{} {}", {"not valid JSON"}));
  EXPECT_TRUE(config_fails("[1]", {"not an object", "an array of length 1"}));
  EXPECT_TRUE(config_fails("{\"a\": \"\xff\"}", {"not valid JSON"}));
}

TEST(ConfigFaults, NestedTooDeep) {
  EXPECT_TRUE(config_fails("{\"a\":" + std::string(100000, '[') + std::string(100000, ']') + "}", {"not valid JSON"}));
}

TEST(ConfigFaults, TooLarge) {
  const TempFolder folder;
  SafetensorsWriter{}.tensor("a", DType::F32, {1}).write(folder / "model.safetensors");
  folder.write("config.json", "{}");
  std::filesystem::resize_file(folder / "config.json", (32U << 20U) + 1);
  EXPECT_TRUE(fails_with([&] { (void)open_checkpoint(folder.path()); }, Errc::config_invalid,
                         {"too large", "at most 33554432 bytes", "33554433 bytes"}));
}

}  // namespace
}  // namespace ballast::test
