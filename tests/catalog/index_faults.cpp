#include <gtest/gtest.h>

#include "ballast/catalog.hpp"
#include "support/faults.hpp"
#include "support/safetensors_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

testing::AssertionResult index_fails(std::string_view json, Errc code, std::initializer_list<std::string_view> parts) {
  const TempFolder folder;
  SafetensorsWriter{}.tensor("a", DType::F32, {1}).write(folder / "s.safetensors");
  folder.write("model.safetensors.index.json", json);
  return fails_with([&] { (void)open_checkpoint(folder.path()); }, code, parts);
}

TEST(IndexFaults, NoJson) {
  EXPECT_TRUE(index_fails(R"({"weight_map": {"a": "s.safete)", Errc::index_invalid,
                          {"not valid JSON", "model.safetensors.index.json", "incomplete download?"}));
  EXPECT_TRUE(index_fails("\xff\xfe", Errc::index_invalid, {"not valid JSON"}));
}

TEST(IndexFaults, Empty) {
  EXPECT_TRUE(index_fails("", Errc::index_invalid, {"the index is empty"}));
  EXPECT_TRUE(index_fails(" \n", Errc::index_invalid, {"the index is empty"}));
}

TEST(IndexFaults, NoWeightMap) {
  EXPECT_TRUE(index_fails("{}", Errc::index_invalid, {"no weight_map", "no such member"}));
  EXPECT_TRUE(index_fails("[]", Errc::index_invalid, {"no weight_map", "an array of length 0"}));
  EXPECT_TRUE(index_fails(R"({"weight_map": ["a"]})", Errc::index_invalid, {"no weight_map", "an array of length 1"}));
  EXPECT_TRUE(index_fails(R"({"weight_map": null})", Errc::index_invalid, {"no weight_map", "null"}));
}

TEST(IndexFaults, EmptyWeightMap) {
  EXPECT_TRUE(index_fails(R"({"weight_map": {}})", Errc::index_invalid, {"weight_map is empty"}));
}

TEST(IndexFaults, ShardNameThatIsNoString) {
  EXPECT_TRUE(index_fails(R"({"weight_map": {"a": 1}})", Errc::index_invalid, {R"("a")", "a string", "got:      1"}));
  EXPECT_TRUE(index_fails(R"({"weight_map": {"a": {"x": 1}}})", Errc::index_invalid, {R"("a")", "an object"}));
}

TEST(IndexFaults, DuplicateTensor) {
  EXPECT_TRUE(index_fails(R"({"weight_map": {"a": "s.safetensors", "a": "s.safetensors"}})", Errc::duplicate_key,
                          {"names this tensor twice", R"("a")"}));
  EXPECT_TRUE(index_fails(R"({"weight_map": {"a": "s.safetensors", "\u0061": "t.safetensors"}})", Errc::duplicate_key,
                          {"names this tensor twice", R"("a")"}));
}

TEST(IndexFaults, DuplicateWeightMap) {
  EXPECT_TRUE(index_fails(R"({"weight_map": {"a": "s.safetensors"}, "weight_map": {}})", Errc::duplicate_key,
                          {"several", "weight_map"}));
}

TEST(IndexFaults, AConfigNamedInPlaceOfAnIndex) {
  const TempFolder folder;
  const std::string path = folder.write("config.json", R"({"model_type": "llama"})");
  EXPECT_TRUE(fails_with([&] { (void)open_checkpoint(path); }, Errc::index_invalid, {"not an index?", "folder"}));
}

}  // namespace
}  // namespace ballast::test
