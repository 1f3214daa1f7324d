// ModelOpt says in a file of its own, hf_quant_config.json, that the weights are quantised.
#include <gtest/gtest.h>

#include "ballast/catalog.hpp"
#include "support/faults.hpp"
#include "support/safetensors_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

struct QuantisationBesideTheConfig : testing::Test {
  TempFolder folder;
  void SetUp() override {
    (void)SafetensorsWriter().tensor("w", DType::F32, {1}).write(folder / "model.safetensors");
    folder.write("config.json", R"({"model_type": "llama"})");
  }
  ModelConfig with(std::string_view json) const {
    folder.write("hf_quant_config.json", json);
    return open_checkpoint(folder.path()).config.value();
  }
};

TEST_F(QuantisationBesideTheConfig, IsModelOptWithTheNameOfItsAlgorithm) {
  const ModelConfig config = with(R"({"producer": {"name": "modelopt", "version": "0.23"},
      "quantization": {"quant_algo": "NVFP4", "kv_cache_quant_algo": "FP8", "group_size": 16}})");
  EXPECT_EQ(config.quantisation, "modelopt");
  EXPECT_EQ(config.quantisation_details, "NVFP4");
  EXPECT_EQ(config.quantisation_key, "quantization");
  EXPECT_EQ(config.quantisation_path, folder / "hf_quant_config.json");
}

TEST_F(QuantisationBesideTheConfig, OfTheCacheAloneLeavesTheWeightsPlain) {
  EXPECT_EQ(with(R"({"quantization": {"quant_algo": null, "kv_cache_quant_algo": "FP8"}})").quantisation, "");
}

TEST_F(QuantisationBesideTheConfig, ConfigJsonComesFirst) {
  folder.write("config.json", R"({"quantization_config": {"quant_method": "fp8"}})");
  EXPECT_EQ(with(R"({"quantization": {"quant_algo": "NVFP4"}})").quantisation, "fp8");
}

TEST_F(QuantisationBesideTheConfig, DamagedFileIsAFault) {
  EXPECT_TRUE(fails_with([&] { (void)with("{"); }, Errc::config_invalid, {"hf_quant_config.json"}));
}

}  // namespace
}  // namespace ballast::test
