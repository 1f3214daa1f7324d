#include <gtest/gtest.h>

#include "ballast/catalog.hpp"
#include "support/faults.hpp"
#include "support/index_json.hpp"
#include "support/safetensors_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

constexpr const char* kIndex = "model.safetensors.index.json";

TEST(MissingParts, EveryMissingShardIsListed) {
  const TempFolder folder;
  SafetensorsWriter{}.tensor("b", DType::F32, {1}).write(folder / "2.safetensors");
  folder.write(kIndex, index_json({{"a", "1.safetensors"}, {"b", "2.safetensors"}, {"c", "3.safetensors"}}));
  const auto error = error_of([&] { (void)open_checkpoint(folder.path()); });
  EXPECT_TRUE(has_fault(error, Errc::shard_missing, {"/1.safetensors", "incomplete download?"}));
  EXPECT_TRUE(has_fault(error, Errc::shard_missing, {"/3.safetensors"}));
  EXPECT_EQ(error->total(), 2U);
}

TEST(MissingParts, ATensorThatItsShardDoesNotHold) {
  const TempFolder folder;
  SafetensorsWriter{}.tensor("a", DType::F32, {1}).write(folder / "1.safetensors");
  folder.write(kIndex, index_json({{"a", "1.safetensors"}, {"b", "1.safetensors"}, {"c", "1.safetensors"}}));
  const auto error = error_of([&] { (void)open_checkpoint(folder.path()); });
  EXPECT_TRUE(has_fault(error, Errc::tensor_missing_from_shard, {R"("b")", "/1.safetensors", "index", "incomplete"}));
  EXPECT_TRUE(has_fault(error, Errc::tensor_missing_from_shard, {R"("c")"}));
  EXPECT_EQ(error->total(), 2U);
}

TEST(MissingParts, ATensorInAnotherShardThanTheIndexSays) {
  const TempFolder folder;
  SafetensorsWriter{}.tensor("a", DType::F32, {1}).write(folder / "1.safetensors");
  SafetensorsWriter{}.tensor("b", DType::F32, {1}).tensor("c", DType::F32, {1}).write(folder / "2.safetensors");
  folder.write(kIndex, index_json({{"a", "1.safetensors"}, {"b", "1.safetensors"}, {"c", "2.safetensors"}}));
  EXPECT_TRUE(fails_with([&] { (void)open_checkpoint(folder.path()); }, Errc::tensor_missing_from_shard,
                         {R"("b")", "/1.safetensors", "the tensor is in", "/2.safetensors", "different versions"}));
}

TEST(MissingParts, ATruncatedShardHasItsOwnFaultAndNoneForEachOfItsTensors) {
  const TempFolder folder;
  const std::string whole = SafetensorsWriter{}.tensor("a", DType::F32, {1}).tensor("b", DType::F32, {1}).bytes();
  folder.write("1.safetensors", whole.substr(0, 20));
  folder.write(kIndex, index_json({{"a", "1.safetensors"}, {"b", "1.safetensors"}}));
  const auto error = error_of([&] { (void)open_checkpoint(folder.path()); });
  EXPECT_TRUE(has_fault(error, Errc::header_truncated, {"1.safetensors"}));
  EXPECT_EQ(count_faults(error, Errc::tensor_missing_from_shard), 0U);
}

}  // namespace
}  // namespace ballast::test
