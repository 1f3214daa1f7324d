// What people most often have in place of a checkpoint gets a sentence of its own, which says what to do.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "hostile/small_llama.hpp"

namespace ballast::test {
namespace {

struct Sentences : testing::Test {
  TempFolder folder;
  std::optional<Error> of_weights(std::string_view weights) const {
    write_model(folder, weights);
    return load_error(folder.path());
  }
  std::optional<Error> of_config(std::string_view config) const {
    write_model(folder, small_safetensors().bytes(), config);
    return load_error(folder.path());
  }
};

TEST_F(Sentences, GitLfsPointer) {
  EXPECT_TRUE(has_fault(
      of_weights("version https://git-lfs.github.com/spec/v1\noid sha256:abcd\nsize 4976698672\n"),
      Errc::not_a_checkpoint,
      {"this is a Git LFS pointer, not the file itself", "model.safetensors", "`git lfs pull`", "4976698672 bytes"}));
}

TEST_F(Sentences, HtmlPage) {
  EXPECT_TRUE(has_fault(of_weights("<!DOCTYPE html><html><body>Sign in</body></html>"), Errc::not_a_checkpoint,
                        {"this is an HTML page, not a model", "fetch the file again"}));
}

TEST_F(Sentences, EmptyFile) {
  EXPECT_TRUE(has_fault(of_weights(""), Errc::not_a_checkpoint, {"the file is empty", "never began"}));
}

TEST_F(Sentences, PythonPickle) {
  EXPECT_TRUE(has_fault(of_weights("PK\x03\x04 and so on, a file of some length"), Errc::not_a_checkpoint,
                        {"a PyTorch checkpoint", "convert the model to safetensors"}));
}

TEST_F(Sentences, FolderWithoutWeights) {
  folder.write("config.json", kSmallConfig);
  EXPECT_TRUE(has_fault(load_error(folder.path()), Errc::no_weights, {folder.path(), "safetensors"}));
}

TEST_F(Sentences, NoSuchPath) { EXPECT_TRUE(has_fault(load_error(folder / "nowhere"), Errc::io_open, {"nowhere"})); }

TEST_F(Sentences, NoConfig) {
  small_safetensors().write(folder / "model.safetensors");
  EXPECT_TRUE(has_fault(load_error(folder.path()), Errc::config_missing,
                        {"there is no config.json beside the weights", "copy the model's config.json"}));
}

TEST_F(Sentences, ConfigWithoutModelType) {
  EXPECT_TRUE(has_fault(of_config("{}"), Errc::model_type_missing,
                        {"the config does not say what kind of model this is", "config.json", "--model-type"}));
}

TEST_F(Sentences, UnknownArchitecture) {
  EXPECT_TRUE(has_fault(of_config(R"({"model_type": "mamba3"})"), Errc::unknown_architecture,
                        {"there is no policy for models of type 'mamba3'", "bert", "llama", "adding-an-architecture"}));
}

TEST_F(Sentences, QuantisedCheckpoint) {
  std::string config = kSmallConfig;
  config.insert(1, R"("quantization_config": {"quant_method": "gptq"}, )");
  EXPECT_TRUE(has_fault(of_config(config), Errc::quantised_checkpoint,
                        {"quantised with 'gptq'", "use the original checkpoint"}));
}

TEST_F(Sentences, CheckpointOfAnotherArchitecture) {
  SafetensorsWriter gpt;
  gpt.tensor("wte.weight", DType::F16, {8, 4}).tensor("wpe.weight", DType::F16, {8, 4});
  for (const char* name : {"ln_1.weight", "ln_1.bias", "attn.c_attn.bias", "mlp.c_fc.bias"})
    for (int i = 0; i < 3; ++i) gpt.tensor("h." + std::to_string(i) + "." + name, DType::F16, {4});
  const auto error = of_weights(gpt.bytes());
  EXPECT_TRUE(has_fault(error, Errc::name_unclaimed,
                        {"3 tensors", "\"h.{0..2}.attn.c_attn.bias\"", "a checkpoint of another architecture"}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"\"model.layers.0.self_attn.q_proj.weight\""}));
  EXPECT_EQ(error->code(), Errc::another_architecture);
  EXPECT_EQ(error->total(), 1U + 18U);  // 6 folded names that nobody takes, 12 that are missing
}

TEST_F(Sentences, ShapesOfAnotherModel) {
  std::string config = kSmallConfig;
  config.replace(config.find("\"num_attention_heads\": 2"), 24, "\"num_attention_heads\": 4");
  const auto error = of_config(config);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->diagnostics()[0].container, "transformer_layer_0");
  EXPECT_EQ(error->diagnostics()[0].parameter, "qkv_w");
}

TEST_F(Sentences, PermissionDenied) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  write_model(folder, small_safetensors().bytes());
  std::filesystem::permissions(folder / "model.safetensors", std::filesystem::perms::none);
  EXPECT_TRUE(has_fault(load_error(folder.path()), Errc::io_open, {"model.safetensors", "ermission"}));
}

}  // namespace
}  // namespace ballast::test
