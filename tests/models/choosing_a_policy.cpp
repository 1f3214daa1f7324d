// Which policy a checkpoint gets, and the sentence where there is none.
#include <gtest/gtest.h>

#include "models/tiny_llama.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

std::string chosen(const TinyLlama& tiny, const std::string& model_type = {}) {
  const TempFolder folder;
  LoadOptions options;
  options.model_type = model_type;
  return std::string(prepare(tiny.write(folder), options).policy->name());
}

TEST(ChoosingAPolicy, ByModelType) {
  TinyLlama tiny;
  tiny.architectures.clear();
  EXPECT_EQ(chosen(tiny), "llama");
}

TEST(ChoosingAPolicy, ByArchitectureWhereTheModelTypeIsAbsentOrUnknown) {
  TinyLlama tiny;
  tiny.model_type.clear();
  EXPECT_EQ(chosen(tiny), "llama");
  tiny.model_type = R"("model_type": "quokka",)";
  EXPECT_EQ(chosen(tiny), "llama");
  tiny.architectures = R"("architectures": ["Quokka", "LlamaForCausalLM"],)";
  EXPECT_EQ(chosen(tiny), "llama");
}

TEST(ChoosingAPolicy, ByWhatTheCallerSaysBeforeAllElse) {
  TinyLlama tiny;
  tiny.model_type = R"("model_type": "bert",)";
  tiny.architectures = R"("architectures": ["BertModel"],)";
  EXPECT_EQ(chosen(tiny, "llama"), "llama");
  EXPECT_EQ(chosen(tiny, "LlamaForCausalLM"), "llama");
}

TEST(ChoosingAPolicy, WithoutAConfig) {
  const TempFolder folder;
  (void)TinyLlama().weights().write(folder / "model.safetensors");
  for (const char* model_type : {"", "llama"}) {
    LoadOptions options;
    options.model_type = model_type;
    EXPECT_TRUE(fails_with([&] { (void)load(folder.path(), options); }, Errc::config_missing,
                           {"there is no config.json beside the weights", folder.path(), "config_path"}));
  }
}

TEST(ChoosingAPolicy, WithAConfigThatDoesNotSay) {
  const TempFolder folder;
  TinyLlama tiny;
  tiny.model_type.clear();
  tiny.architectures.clear();
  EXPECT_TRUE(fails_with(
      [&] { (void)load(tiny.write(folder)); }, Errc::model_type_missing,
      {"does not say what kind of model", folder / "config.json", "--model-type", "LoadOptions::model_type"}));
  LoadOptions options;
  options.model_type = "llama";
  EXPECT_EQ(load(folder.path(), options).report().policy, "llama");
}

TEST(ChoosingAPolicy, WithAnUnknownArchitecture) {
  const TempFolder folder;
  TinyLlama tiny;
  tiny.model_type = R"("model_type": "quokka",)";
  tiny.architectures.clear();
  EXPECT_TRUE(fails_with([&] { (void)load(tiny.write(folder)); }, Errc::unknown_architecture,
                         {"no policy for models of type 'quokka'", folder / "config.json", "one of: llama, mistral, ",
                          "got:      quokka", "adding-an-architecture"}));
  tiny.model_type.clear();
  tiny.architectures = R"("architectures": ["QuokkaForCausalLM"],)";
  EXPECT_TRUE(fails_with([&] { (void)load(tiny.write(folder)); }, Errc::unknown_architecture,
                         {"no policy for models of type 'QuokkaForCausalLM'"}));
}

TEST(ChoosingAPolicy, ByAWrongWordOfTheCaller) {
  const TempFolder folder;
  LoadOptions options;
  options.model_type = "lama";
  EXPECT_TRUE(fails_with([&] { (void)load(TinyLlama().write(folder), options); }, Errc::unknown_architecture,
                         {"no policy for the model type 'lama'", "one of: llama, mistral, ", "misspelt"}));
}

}  // namespace
}  // namespace ballast::test
