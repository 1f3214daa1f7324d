#include <gtest/gtest.h>

#include <chrono>

#include "ballast/catalog.hpp"
#include "support/index_json.hpp"
#include "support/safetensors_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

TEST(LargeCatalog, NinetyThousandTensorsInThirtyShards) {
  constexpr int kShards = 30;
  constexpr int kPerShard = 3000;
  const TempFolder folder;
  std::vector<std::pair<std::string, std::string>> weight_map;
  for (int shard = 0; shard < kShards; ++shard) {
    SafetensorsWriter writer;
    const std::string file = "model-" + std::to_string(100 + shard) + ".safetensors";
    for (int i = 0; i < kPerShard; ++i) {
      const std::string name =
          "model.layers." + std::to_string(shard) + ".mlp.experts." + std::to_string(i) + ".down_proj.weight";
      writer.tensor(name, DType::U8, {1});
      weight_map.emplace_back(name, file);
    }
    writer.write(folder / file);
  }
  folder.write("model.safetensors.index.json", index_json(weight_map));

  const auto start = std::chrono::steady_clock::now();
  const Catalog catalog = open_checkpoint(folder.path());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(catalog.tensors.size(), 90000U);
  EXPECT_EQ(catalog.tensors.back().file, 29U);
  RecordProperty("seconds", std::to_string(seconds.count()));
  // Well under a second where it is optimised; here only what is quadratic is to be caught.
  EXPECT_LT(seconds.count(), 20);
}

}  // namespace
}  // namespace ballast::test
