#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ballast/catalog.hpp"
#include "catalog/names_of.hpp"
#include "support/gguf_writer.hpp"
#include "support/safetensors_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;

TEST(FolderWithOneFile, ModelSafetensors) {
  const TempFolder folder;
  SafetensorsWriter{}.tensor("a", DType::F32, {4}).write(folder / "model.safetensors");
  const Catalog catalog = open_checkpoint(folder.path());
  EXPECT_THAT(names_of(catalog), ElementsAre("a"));
  EXPECT_EQ(catalog.files[0].path, folder / "model.safetensors");
}

TEST(FolderWithOneFile, ASlashAtTheEndOfThePathChangesNothing) {
  const TempFolder folder;
  SafetensorsWriter{}.tensor("a", DType::F32, {4}).write(folder / "model.safetensors");
  EXPECT_EQ(open_checkpoint(folder / "").files[0].path, folder / "model.safetensors");
}

TEST(FolderWithOneFile, SafetensorsOfAnotherName) {
  const TempFolder folder;
  SafetensorsWriter{}.tensor("a", DType::F32, {4}).write(folder / "weights.safetensors");
  folder.write("README.md", "text");
  EXPECT_THAT(files_of(open_checkpoint(folder.path())), ElementsAre("weights.safetensors"));
}

TEST(FolderWithOneFile, Gguf) {
  const TempFolder folder;
  GgufWriter{}.text("general.architecture", "llama").tensor("a", DType::F32, {4}).write(folder / "m.gguf");
  const Catalog catalog = open_checkpoint(folder.path());
  EXPECT_THAT(files_of(catalog), ElementsAre("m.gguf"));
  EXPECT_EQ(catalog.files[0].format, FileFormat::gguf);
  EXPECT_THAT(names_of(catalog), ElementsAre("a"));
}

TEST(FolderWithOneFile, AnAdapterBesideTheModelIsNotTheModel) {
  const TempFolder folder;
  SafetensorsWriter{}.tensor("a", DType::F32, {4}).write(folder / "weights.safetensors");
  SafetensorsWriter{}.tensor("lora", DType::F32, {4}).write(folder / "adapter_model.safetensors");
  EXPECT_THAT(names_of(open_checkpoint(folder.path())), ElementsAre("a"));
}

}  // namespace
}  // namespace ballast::test
