#include <gtest/gtest.h>

#include "ballast/catalog.hpp"
#include "support/faults.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

testing::AssertionResult no_weights_in(std::initializer_list<const char*> names,
                                       std::initializer_list<std::string_view> parts) {
  const TempFolder folder;
  for (const char* name : names) folder.write(name, "x");
  return fails_with([&] { (void)open_checkpoint(folder.path()); }, Errc::no_weights, parts);
}

TEST(NoWeights, SaysWhatWasLookedForAndWhatIsThere) {
  EXPECT_TRUE(no_weights_in({"config.json", "tokenizer.json", "sub/x"},
                            {"holds no weights", "model.safetensors, model.safetensors.index.json", "*.gguf",
                             "config.json, sub/, tokenizer.json", "incomplete download?"}));
}

TEST(NoWeights, EmptyFolder) { EXPECT_TRUE(no_weights_in({}, {"nothing", "an empty folder"})); }

TEST(NoWeights, PickleFilesAreNotSupportedYet) {
  EXPECT_TRUE(no_weights_in({"pytorch_model.bin"}, {"pytorch_model.bin", "not supported yet", "save_pretrained"}));
  EXPECT_TRUE(no_weights_in({"pytorch_model-00001-of-00002.bin", "pytorch_model.bin.index.json"}, {"convert"}));
  EXPECT_TRUE(no_weights_in({"consolidated.00.pth"}, {"not supported yet"}));
}

TEST(NoWeights, Adapter) {
  EXPECT_TRUE(no_weights_in({"adapter_model.safetensors", "adapter_config.json"}, {"adapter (LoRA)", "merge"}));
  EXPECT_TRUE(no_weights_in({"adapter_model.bin"}, {"adapter (LoRA)"}));
}

TEST(NoWeights, PartialDownload) { EXPECT_TRUE(no_weights_in({"abc.incomplete"}, {"an incomplete download"})); }

TEST(NoWeights, RootOfAHubCache) {
  EXPECT_TRUE(no_weights_in({"blobs/1", "refs/main", "snapshots/1/config.json"}, {"snapshots/<revision>"}));
}

TEST(NoWeights, AFolderNamedLikeAWeightFileIsNone) {
  EXPECT_TRUE(no_weights_in({"model.safetensors/x"}, {"model.safetensors/"}));
}

TEST(NoWeights, ALongListIsCut) {
  const TempFolder folder;
  for (int i = 0; i < 30; ++i) folder.write("file" + std::to_string(i), "x");
  EXPECT_TRUE(fails_with([&] { (void)open_checkpoint(folder.path()); }, Errc::no_weights, {"and 10 more"}));
}

}  // namespace
}  // namespace ballast::test
