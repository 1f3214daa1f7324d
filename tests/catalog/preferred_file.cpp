#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ballast/catalog.hpp"
#include "catalog/names_of.hpp"
#include "support/gguf_writer.hpp"
#include "support/index_json.hpp"
#include "support/safetensors_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;

// transformers looks for model.safetensors first, then for its index.
TEST(PreferredFile, ModelSafetensorsBeforeTheIndex) {
  const TempFolder folder;
  SafetensorsWriter{}.tensor("whole", DType::F32, {4}).write(folder / "model.safetensors");
  SafetensorsWriter{}.tensor("part", DType::F32, {4}).write(folder / "model-00001-of-00001.safetensors");
  folder.write("model.safetensors.index.json", index_json({{"part", "model-00001-of-00001.safetensors"}}));
  EXPECT_THAT(names_of(open_checkpoint(folder.path())), ElementsAre("whole"));
}

TEST(PreferredFile, TheIndexBeforeItsShardsAndBeforeOtherFiles) {
  const TempFolder folder;
  SafetensorsWriter{}
      .tensor("a", DType::F32, {4})
      .tensor("b", DType::F32, {4})
      .write(folder / "model-00001-of-00001.safetensors");
  SafetensorsWriter{}.tensor("other", DType::F32, {4}).write(folder / "consolidated.safetensors");
  folder.write("model.safetensors.index.json", index_json({{"a", "model-00001-of-00001.safetensors"}}));
  EXPECT_THAT(names_of(open_checkpoint(folder.path())), ElementsAre("a"));
}

TEST(PreferredFile, AnIndexOfAnotherNameIsFoundToo) {
  const TempFolder folder;
  SafetensorsWriter{}.tensor("a", DType::F32, {4}).write(folder / "unet-00001-of-00001.safetensors");
  folder.write("unet.safetensors.index.json", index_json({{"a", "unet-00001-of-00001.safetensors"}}));
  EXPECT_THAT(names_of(open_checkpoint(folder.path())), ElementsAre("a"));
}

TEST(PreferredFile, ModelSafetensorsBeforeFilesOfOtherNames) {
  const TempFolder folder;
  SafetensorsWriter{}.tensor("a", DType::F32, {4}).write(folder / "model.safetensors");
  SafetensorsWriter{}.tensor("b", DType::F32, {4}).write(folder / "model.fp16.safetensors");
  GgufWriter{}.tensor("c", DType::F32, {4}).write(folder / "m.gguf");
  EXPECT_THAT(names_of(open_checkpoint(folder.path())), ElementsAre("a"));
}

}  // namespace
}  // namespace ballast::test
