#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ballast/catalog.hpp"
#include "catalog/names_of.hpp"
#include "support/faults.hpp"
#include "support/gguf_writer.hpp"
#include "support/safetensors_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;

TEST(ShardsWithoutIndex, AllOfTheSetAreTaken) {
  const TempFolder folder;
  SafetensorsWriter{}.tensor("b", DType::F32, {1}).write(folder / "model-00002-of-00002.safetensors");
  SafetensorsWriter{}
      .tensor("c", DType::F32, {1})
      .tensor("a", DType::F32, {1})
      .write(folder / "model-00001-of-00002.safetensors");
  const Catalog catalog = open_checkpoint(folder.path());
  EXPECT_THAT(files_of(catalog), ElementsAre("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"));
  EXPECT_THAT(names_of(catalog), ElementsAre("c", "a", "b"));
  EXPECT_EQ(catalog.find("b")->file, 1U);
}

TEST(ShardsWithoutIndex, NumbersMayHaveOtherDigitsThanTheirCount) {
  const TempFolder folder;
  for (const char* number : {"00001", "00002"})
    SafetensorsWriter{}
        .tensor(number, DType::F32, {1})
        .write(folder / ("model-" + std::string(number) + "-of-000002.safetensors"));
  EXPECT_THAT(names_of(open_checkpoint(folder.path())), ElementsAre("00001", "00002"));
}

TEST(ShardsWithoutIndex, NumbersMayStartFromZero) {
  const TempFolder folder;
  for (const char* number : {"0", "1"})
    SafetensorsWriter{}
        .tensor(number, DType::F32, {1})
        .write(folder / ("model-" + std::string(number) + "-of-2.safetensors"));
  EXPECT_THAT(names_of(open_checkpoint(folder.path())), ElementsAre("0", "1"));
}

TEST(ShardsWithoutIndex, SplitGgufFilesAreTakenTogetherAndTheFirstHasTheConfig) {
  const TempFolder folder;
  GgufWriter{}
      .text("general.architecture", "llama")
      .u32("llama.block_count", 7)
      .tensor("a", DType::F32, {1})
      .write(folder / "m-00001-of-00002.gguf");
  GgufWriter{}.u32("split.no", 1).tensor("b", DType::F32, {1}).write(folder / "m-00002-of-00002.gguf");
  const Catalog catalog = open_checkpoint(folder.path());
  EXPECT_THAT(names_of(catalog), ElementsAre("a", "b"));
  EXPECT_EQ(catalog.config.value().n_layers, 7U);
}

TEST(ShardsWithoutIndex, AMissingOneIsAnError) {
  const TempFolder folder;
  SafetensorsWriter{}.tensor("a", DType::F32, {1}).write(folder / "model-00001-of-00003.safetensors");
  const auto error = error_of([&] { (void)open_checkpoint(folder.path()); });
  EXPECT_TRUE(has_fault(error, Errc::shard_missing, {"/model-00002-of-00003.safetensors", "incomplete download?"}));
  EXPECT_TRUE(has_fault(error, Errc::shard_missing, {"/model-00003-of-00003.safetensors"}));
}

TEST(ShardsWithoutIndex, ANameInTwoOfThemIsAnError) {
  const TempFolder folder;
  SafetensorsWriter{}.tensor("a", DType::F32, {1}).write(folder / "model-00001-of-00002.safetensors");
  SafetensorsWriter{}.tensor("a", DType::F32, {1}).write(folder / "model-00002-of-00002.safetensors");
  EXPECT_TRUE(fails_with([&] { (void)open_checkpoint(folder.path()); }, Errc::duplicate_tensor,
                         {R"("a")", "model-00002-of-00002.safetensors", "model-00001-of-00002.safetensors too"}));
}

}  // namespace
}  // namespace ballast::test
