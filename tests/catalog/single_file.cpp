#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ballast/catalog.hpp"
#include "catalog/names_of.hpp"
#include "support/safetensors_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SingleFile, ASafetensorsFileIsACatalog) {
  const TempFolder folder;
  const std::string path = SafetensorsWriter{}
                               .metadata("format", "pt")
                               .tensor("b", DType::F16, {2, 3})
                               .tensor("a", DType::F32, {4})
                               .write(folder / "weights.safetensors");
  const Catalog catalog = open_checkpoint(path);
  EXPECT_EQ(catalog.path, path);
  ASSERT_EQ(catalog.files.size(), 1U);
  EXPECT_EQ(catalog.files[0].path, path);
  EXPECT_EQ(catalog.files[0].format, FileFormat::safetensors);
  EXPECT_EQ(catalog.files[0].file_bytes, catalog.files[0].header_bytes + 28);
  ASSERT_NE(catalog.files[0].metadata.find("format"), nullptr);
  EXPECT_EQ(*catalog.files[0].metadata.find("format")->string(), "pt");
  EXPECT_THAT(names_of(catalog), ElementsAre("b", "a"));
  EXPECT_EQ(catalog.tensor_bytes(), 28U);
  EXPECT_THAT(catalog.unindexed, IsEmpty());
  EXPECT_FALSE(catalog.config);
}

TEST(SingleFile, TensorsAreFoundByTheirWholeName) {
  const TempFolder folder;
  const Catalog catalog = open_checkpoint(SafetensorsWriter{}.tensor("a.b", DType::F32, {4}).write(folder / "w"));
  ASSERT_NE(catalog.find("a.b"), nullptr);
  EXPECT_EQ(catalog.find("a.b")->shape, (Shape{4}));
  EXPECT_EQ(catalog.find("a"), nullptr);
  EXPECT_EQ(catalog.find(""), nullptr);
}

TEST(SingleFile, TheConfigBesideItIsRead) {
  const TempFolder folder;
  const std::string path = SafetensorsWriter{}.tensor("a", DType::F32, {4}).write(folder / "w.safetensors");
  folder.write("config.json", R"({"model_type": "llama", "hidden_size": 64})");
  const Catalog catalog = open_checkpoint(path);
  ASSERT_TRUE(catalog.config);
  EXPECT_EQ(catalog.config->model_type, "llama");
  EXPECT_EQ(catalog.config->model_dim, 64U);
  EXPECT_EQ(catalog.config->path, folder / "config.json");
}

TEST(SingleFile, NamingOneShardOpensThatShardOnly) {
  const TempFolder folder;
  const std::string path =
      SafetensorsWriter{}.tensor("a", DType::F32, {4}).write(folder / "model-00001-of-00002.safetensors");
  EXPECT_THAT(names_of(open_checkpoint(path)), ElementsAre("a"));
}

}  // namespace
}  // namespace ballast::test
