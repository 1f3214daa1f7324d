#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "ballast/model_config.hpp"

namespace ballast::test {
namespace {

ModelConfig parse(std::string_view json) { return parse_model_config(json, "config.json"); }

TEST(ConfigQuantisation, IsTheNameOfTheMethod) {
  for (const std::string method : {"gptq", "awq", "fp8", "compressed-tensors", "bitsandbytes", "mxfp4"})
    EXPECT_EQ(parse(R"({"quantization_config": {"bits": 4, "quant_method": ")" + method + "\"}}").quantisation, method);
}

TEST(ConfigQuantisation, CompressionConfigIsTheOlderName) {
  EXPECT_EQ(parse(R"({"compression_config": {"quant_method": "compressed-tensors"}})").quantisation,
            "compressed-tensors");
}

TEST(ConfigQuantisation, IsFoundInTextConfigToo) {
  EXPECT_EQ(parse(R"({"text_config": {"quantization_config": {"quant_method": "fp8"}}})").quantisation, "fp8");
}

TEST(ConfigQuantisation, WithoutAMethodIsUnknownAndNotPlain) {
  EXPECT_EQ(parse(R"({"quantization_config": {}})").quantisation, "unknown");
  EXPECT_EQ(parse(R"({"quantization_config": {"quant_method": null}})").quantisation, "unknown");
  EXPECT_EQ(parse(R"({"quantization_config": {"quant_method": ""}})").quantisation, "unknown");
}

TEST(ConfigQuantisation, WithoutAMethodIsToldByTheKeysOfItsTool) {
  const std::pair<const char*, const char*> all[] = {
      {R"({"bits": 4, "group_size": 128, "desc_act": false, "damp_percent": 0.1})", "gptq"},
      {R"({"w_bit": 4, "q_group_size": 128, "zero_point": true, "version": "GEMM"})", "awq"},
      {R"({"load_in_8bit": true})", "bitsandbytes"},
      {R"({"load_in_4bit": true, "bnb_4bit_quant_type": "nf4"})", "bitsandbytes"},
      {R"({"activation_scheme": "dynamic", "weight_block_size": [128, 128]})", "fp8"},
      {R"({"config_groups": {}, "format": "pack-quantized"})", "compressed-tensors"},
      {R"({"global_quant_config": {}})", "quark"},
      {R"({"quant_algo": "NVFP4"})", "modelopt"},
      {R"({"bits": 4, "group_size": 64})", "unknown"}};
  for (const auto& [config, method] : all)
    EXPECT_EQ(parse(std::string(R"({"quantization_config": )") + config + "}").quantisation, method) << config;
}

TEST(ConfigQuantisation, SaysWhichOfTheFormsOfItsMethod) {
  const std::pair<const char*, const char*> all[] = {
      {R"({"quant_method": "gptq", "bits": 4, "group_size": 128})", "4 bits in groups of 128"},
      {R"({"quant_method": "modelopt", "quant_algo": "NVFP4"})", "NVFP4"},
      {R"({"quant_method": "bitsandbytes", "bnb_4bit_quant_type": "nf4"})", "nf4"},
      {R"({"quant_method": "compressed-tensors", "format": "float-quantized"})", "float-quantized"},
      {R"({"quant_method": "eetq"})", ""}};
  for (const auto& [config, details] : all)
    EXPECT_EQ(parse(std::string(R"({"quantization_config": )") + config + "}").quantisation_details, details) << config;
}

TEST(ConfigQuantisation, SaysWhereItStands) {
  const ModelConfig config = parse(R"({"text_config": {"quantization_config": {"quant_method": "fp8"}}})");
  EXPECT_EQ(config.quantisation_key, "text_config.quantization_config");
  EXPECT_EQ(config.quantisation_path, "config.json");
}

TEST(ConfigQuantisation, IsFoundInTheConfigOfOtherNestedModels) {
  for (const char* json : {R"({"llm_config": {"quantization_config": {"quant_method": "awq"}}})",
                           R"({"language_config": {"quantization_config": {"quant_method": "awq"}}})",
                           R"({"thinker_config": {"text_config": {"quantization_config": {"quant_method": "awq"}}}})"})
    EXPECT_EQ(parse(json).quantisation, "awq") << json;
}

TEST(ConfigQuantisation, OfMlxHasAKeyOfItsOwn) {
  EXPECT_EQ(parse(R"({"quantization": {"group_size": 64, "bits": 4}})").quantisation, "mlx");
  // Newer versions write the other key too.
  const ModelConfig both =
      parse(R"({"quantization": {"group_size": 64, "bits": 8}, "quantization_config": {"group_size": 64, "bits": 8}})");
  EXPECT_EQ(both.quantisation, "mlx");
  EXPECT_EQ(both.quantisation_details, "8 bits in groups of 64");
}

TEST(ConfigQuantisation, PlainConfigsAreNotTakenForQuantisedOnes) {
  for (const char* json :
       {R"({})", R"({"quantization_config": null})", R"({"compression_config": null})", R"({"quantization": null})",
        R"({"quantization": {"quant_algo": null}})", R"({"text_config": {"quantization_config": null}})",
        R"({"text_config": null})", R"({"vision_config": {"hidden_size": 4}})"})
    EXPECT_EQ(parse(json).quantisation, "") << json;
}

}  // namespace
}  // namespace ballast::test
