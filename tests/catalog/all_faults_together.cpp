#include <gtest/gtest.h>

#include "ballast/catalog.hpp"
#include "support/bytes.hpp"
#include "support/faults.hpp"
#include "support/index_json.hpp"
#include "support/safetensors_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

TEST(AllFaultsTogether, OfIndexShardsAndConfig) {
  const TempFolder folder;
  SafetensorsWriter{}.tensor("a", DType::F32, {1}).write(folder / "1.safetensors");
  SafetensorsWriter{}.tensor("bad", "F31", {1}, bytes_of(1.0F)).write(folder / "2.safetensors");
  folder.write("model.safetensors.index.json", index_json({{"a", "1.safetensors"},
                                                           {"lost", "1.safetensors"},
                                                           {"bad", "2.safetensors"},
                                                           {"c", "3.safetensors"},
                                                           {"d", "../4.safetensors"}}));
  folder.write("config.json", R"({"hidden_size": "768", "num_hidden_layers": -1})");
  const auto error = error_of([&] { (void)open_checkpoint(folder.path()); });
  EXPECT_TRUE(has_fault(error, Errc::shard_path_escapes, {"../4.safetensors"}));
  EXPECT_TRUE(has_fault(error, Errc::unknown_dtype, {"2.safetensors", "F31"}));
  EXPECT_TRUE(has_fault(error, Errc::shard_missing, {"3.safetensors"}));
  EXPECT_TRUE(has_fault(error, Errc::tensor_missing_from_shard, {"lost"}));
  EXPECT_TRUE(has_fault(error, Errc::config_invalid, {"hidden_size"}));
  EXPECT_TRUE(has_fault(error, Errc::config_invalid, {"num_hidden_layers"}));
  EXPECT_EQ(error->total(), 6U);
}

}  // namespace
}  // namespace ballast::test
