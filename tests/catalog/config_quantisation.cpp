#include <gtest/gtest.h>

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
  EXPECT_EQ(parse(R"({"quantization_config": {"load_in_8bit": true}})").quantisation, "unknown");
  EXPECT_EQ(parse(R"({"quantization_config": {}})").quantisation, "unknown");
  EXPECT_EQ(parse(R"({"quantization_config": {"quant_method": null}})").quantisation, "unknown");
  EXPECT_EQ(parse(R"({"quantization_config": {"quant_method": ""}})").quantisation, "unknown");
}

}  // namespace
}  // namespace ballast::test
