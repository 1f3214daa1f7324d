#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ballast/catalog.hpp"
#include "catalog/names_of.hpp"
#include "support/index_json.hpp"
#include "support/safetensors_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kIndex = "model.safetensors.index.json";
constexpr const char* kFirst = "model-00001-of-00003.safetensors";
constexpr const char* kSecond = "model-00002-of-00003.safetensors";
constexpr const char* kThird = "model-00003-of-00003.safetensors";

// The index names the shards in another order than theirs.
void write_three_shards(const TempFolder& folder) {
  SafetensorsWriter{}.tensor("z", DType::F32, {2}).tensor("y", DType::F16, {4}).write(folder / kFirst);
  SafetensorsWriter{}.tensor("x", DType::BF16, {2, 2}).write(folder / kSecond);
  SafetensorsWriter{}.tensor("b", DType::U8, {3}).tensor("a", DType::I64, {1}).write(folder / kThird);
  folder.write(kIndex, index_json({{"a", kThird}, {"b", kThird}, {"x", kSecond}, {"y", kFirst}, {"z", kFirst}}));
}

TEST(IndexedShards, AreOrderedByFileThenByOffset) {
  const TempFolder folder;
  write_three_shards(folder);
  const Catalog catalog = open_checkpoint(folder.path());
  EXPECT_THAT(files_of(catalog), ElementsAre(kFirst, kSecond, kThird));
  EXPECT_THAT(names_of(catalog), ElementsAre("z", "y", "x", "b", "a"));
  EXPECT_EQ(catalog.find("z")->file, 0U);
  EXPECT_EQ(catalog.find("x")->file, 1U);
  EXPECT_EQ(catalog.find("a")->file, 2U);
  EXPECT_EQ(catalog.find("a")->offset, catalog.files[2].header_bytes + 3);
  EXPECT_THAT(catalog.unindexed, IsEmpty());
}

TEST(IndexedShards, TheIndexItselfMayBeNamed) {
  const TempFolder folder;
  write_three_shards(folder);
  folder.write("config.json", R"({"model_type": "llama"})");
  const Catalog catalog = open_checkpoint(folder / kIndex);
  EXPECT_THAT(names_of(catalog), ElementsAre("z", "y", "x", "b", "a"));
  EXPECT_EQ(catalog.config.value().model_type, "llama");
}

TEST(IndexedShards, NamesBeyondTheIndexAreSetAside) {
  const TempFolder folder;
  SafetensorsWriter{}.tensor("d", DType::F32, {1}).tensor("a", DType::F32, {1}).write(folder / kFirst);
  SafetensorsWriter{}
      .tensor("d", DType::F32, {1})
      .tensor("c", DType::F32, {1})
      .tensor("b", DType::F32, {1})
      .write(folder / kSecond);
  folder.write(kIndex, index_json({{"a", kFirst}, {"b", kSecond}}));
  const Catalog catalog = open_checkpoint(folder.path());
  EXPECT_THAT(names_of(catalog), ElementsAre("a", "b"));
  EXPECT_THAT(catalog.unindexed, ElementsAre("c", "d"));
}

TEST(IndexedShards, ATensorInTwoShardsIsTakenFromTheOneThatTheIndexNames) {
  const TempFolder folder;
  SafetensorsWriter{}.tensor("a", DType::F32, {1}).tensor("b", DType::F32, {1}).write(folder / kFirst);
  SafetensorsWriter{}.tensor("a", DType::F16, {9}).write(folder / kSecond);
  SafetensorsWriter{}.tensor("c", DType::F32, {1}).write(folder / kThird);
  folder.write(kIndex, index_json({{"a", kSecond}, {"b", kFirst}, {"c", kThird}}));
  const Catalog catalog = open_checkpoint(folder.path());
  EXPECT_EQ(catalog.find("a")->file, 1U);
  EXPECT_EQ(catalog.find("a")->dtype, DType::F16);
  EXPECT_THAT(catalog.unindexed, IsEmpty());
}

TEST(IndexedShards, TwoSpellingsOfAShardAreOneFile) {
  const TempFolder folder;
  SafetensorsWriter{}.tensor("a", DType::F32, {1}).tensor("b", DType::F32, {1}).write(folder / "sub/s.safetensors");
  folder.write(kIndex, index_json({{"a", "sub/s.safetensors"}, {"b", "./sub//s.safetensors"}}));
  const Catalog catalog = open_checkpoint(folder.path());
  ASSERT_EQ(catalog.files.size(), 1U);
  EXPECT_EQ(catalog.files[0].path, folder / "sub/s.safetensors");
}

TEST(IndexedShards, OtherFilesInTheFolderAreLeftAlone) {
  const TempFolder folder;
  write_three_shards(folder);
  folder.write("broken.safetensors", "no weights at all");
  EXPECT_EQ(open_checkpoint(folder.path()).files.size(), 3U);
}

}  // namespace
}  // namespace ballast::test
