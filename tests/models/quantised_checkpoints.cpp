// B9: a quantised checkpoint is refused by the name of its scheme, whatever tells it: its config, a file beside that,
// the companions of its weights or their dtype. No weights are read, and a plain checkpoint is not taken for one.
#include <gtest/gtest.h>

#include <utility>

#include "models/tiny_llama.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

struct QuantisedCheckpoints : testing::Test {
  TempFolder folder;
  TinyLlama tiny;

  [[nodiscard]] std::optional<Error> fault() const {
    bool has_read = false;
    auto error = error_of([&] { (void)load(folder.path(), without_reading(has_read)); });
    EXPECT_FALSE(has_read);
    return error;
  }
  [[nodiscard]] std::optional<Error> with_config(const std::string& member) {
    tiny.more = member + ",";
    tiny.write(folder);
    return fault();
  }
  // With further tensors beside the plain ones.
  [[nodiscard]] std::optional<Error> with_tensors(const std::vector<std::pair<std::string, DType>>& more) const {
    tiny.write(folder);
    SafetensorsWriter writer = tiny.weights();
    for (const auto& [name, dtype] : more) writer.tensor(name, dtype, {1});
    (void)writer.write(folder / "model.safetensors");
    return fault();
  }
};

TEST_F(QuantisedCheckpoints, ByTheirConfig) {
  const std::pair<const char*, const char*> all[] = {
      {R"({"quant_method": "gptq", "bits": 4, "group_size": 128})", "'gptq' (4 bits in groups of 128)"},
      {R"({"quant_method": "awq", "bits": 4})", "'awq' (4 bits)"},
      {R"({"quant_method": "bitsandbytes", "load_in_4bit": true, "bnb_4bit_quant_type": "nf4"})",
       "'bitsandbytes' (nf4)"},
      {R"({"quant_method": "fp8", "fmt": "e4m3", "weight_block_size": [128, 128]})", "'fp8' (e4m3)"},
      {R"({"quant_method": "compressed-tensors", "format": "pack-quantized"})",
       "'compressed-tensors' (pack-quantized)"},
      {R"({"quant_method": "modelopt", "quant_algo": "NVFP4"})", "'modelopt' (NVFP4)"},
      {R"({"quant_method": "mxfp4"})", "'mxfp4'"},
      {R"({"quant_method": "quark"})", "'quark'"},
      {R"({"quant_method": "hqq"})", "'hqq'"},
      {R"({"quant_method": "aqlm"})", "'aqlm'"},
      {R"({"quant_method": "eetq"})", "'eetq'"},
      {R"({"quant_method": "torchao"})", "'torchao'"},
      {R"({"bits": 4, "group_size": 64})", "'unknown' (4 bits in groups of 64)"},
      {R"({})", "'unknown'"}};
  for (const auto& [config, says] : all) {
    const auto error = with_config(std::string(R"("quantization_config": )") + config);
    EXPECT_TRUE(has_fault(error, Errc::quantised_checkpoint,
                          {"the checkpoint is quantised with", says, "quantization_config of", folder / "config.json",
                           "expected: plain weights", "use the original checkpoint"}))
        << config;
    EXPECT_EQ(error->total(), 1U);
  }
}

TEST_F(QuantisedCheckpoints, ByOtherKeysOfTheirConfig) {
  EXPECT_TRUE(has_fault(with_config(R"("compression_config": {"quant_method": "compressed-tensors"})"),
                        Errc::quantised_checkpoint, {"compression_config of 'compressed-tensors'"}));
  EXPECT_TRUE(has_fault(with_config(R"("text_config": {"quantization_config": {"quant_method": "fp8"}})"),
                        Errc::quantised_checkpoint, {"text_config.quantization_config of 'fp8'"}));
  EXPECT_TRUE(has_fault(with_config(R"("quantization": {"group_size": 64, "bits": 4})"), Errc::quantised_checkpoint,
                        {"quantization of 'mlx' (4 bits in groups of 64)"}));
}

TEST_F(QuantisedCheckpoints, ByAFileBesideTheirConfig) {
  tiny.write(folder);
  folder.write("hf_quant_config.json", R"({"quantization": {"quant_algo": "NVFP4", "group_size": 16}})");
  const auto error = fault();
  EXPECT_TRUE(has_fault(error, Errc::quantised_checkpoint,
                        {"quantised with 'modelopt'", "(NVFP4)", folder / "hf_quant_config.json"}));
  EXPECT_EQ(error->total(), 1U);
}

TEST_F(QuantisedCheckpoints, ByTheCompanionsOfTheirWeights) {
  const std::string w = "model.layers.0.mlp.up_proj.";
  const std::pair<std::vector<std::pair<std::string, DType>>, const char*> all[] = {
      {{{w + "weight_scale_inv", DType::F32}}, "FP8 blocks"},
      {{{w + "weight_scale", DType::F32}}, "FP8 or compressed-tensors"},
      {{{w + "qweight", DType::I32}, {w + "qzeros", DType::I32}, {w + "scales", DType::F16}}, "GPTQ or AWQ"},
      {{{w + "g_idx", DType::I32}}, "GPTQ"},
      {{{w + "weight.absmax", DType::U8}}, "bitsandbytes 4-bit"},
      {{{w + "weight.quant_map", DType::F32}}, "bitsandbytes 4-bit"},
      {{{w + "weight.nested_absmax", DType::F32}}, "bitsandbytes 4-bit"},
      {{{w + "weight.nested_quant_map", DType::F32}}, "bitsandbytes 4-bit"},
      {{{w + "weight.quant_state.bitsandbytes__nf4", DType::U8}}, "bitsandbytes 4-bit"},
      {{{w + "SCB", DType::F32}}, "bitsandbytes 8-bit"},
      {{{"model.layers.0.mlp.experts.gate_up_proj_blocks", DType::U8}}, "MXFP4"},
      {{{"model.layers.0.mlp.experts.gate_up_proj_scales", DType::U8}}, "MXFP4"},
      {{{w + "weight_scale_2", DType::F32}}, "NVFP4"},
      {{{w + "scales", DType::F16}, {w + "biases", DType::F16}}, "MLX"}};
  for (const auto& [more, scheme] : all) {
    const auto error = with_tensors(more);
    EXPECT_TRUE(has_fault(error, Errc::companion_unclaimed,
                          {"quantised weights", scheme, more.front().first, "plain weights", "a quantised checkpoint"}))
        << scheme;
    EXPECT_EQ(error->total(), more.size());
  }
}

// Weights in packed form have other shapes and dtypes, and other names than the plain ones; none of it is the fault of
// the config or of the architecture.
TEST_F(QuantisedCheckpoints, CompanionsExplainAllElse) {
  tiny.write(folder);
  SafetensorsWriter writer;
  writer.tensor("model.embed_tokens.weight", DType::BF16, {8, 32})
      .tensor("lm_head.weight", DType::BF16, {8, 32})
      .tensor("model.norm.weight", DType::BF16, {32});
  for (const std::string layer : {"model.layers.0.", "model.layers.1."}) {
    for (const char* name : {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj",
                             "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj"})
      for (const char* part : {".weight", ".scales", ".biases"})
        writer.tensor(layer + name + part, part == std::string_view(".weight") ? DType::U32 : DType::F16, {32, 4});
    for (const char* name : {"input_layernorm", "post_attention_layernorm"})
      writer.tensor(layer + name + ".weight", DType::BF16, {32});
  }
  (void)writer.write(folder / "model.safetensors");
  const auto error = fault();
  EXPECT_EQ(count_faults(error, Errc::companion_unclaimed), error->total());
  EXPECT_TRUE(
      has_fault(error, Errc::companion_unclaimed, {"2 tensors", "MLX", "model.layers.{0..1}.mlp.up_proj.scales"}));
}

TEST_F(QuantisedCheckpoints, ByDtypesThatPlainWeightsDoNotHave) {
  for (const DType dtype : {DType::I8, DType::U8, DType::I32, DType::U32, DType::F8_E4M3, DType::F8_E5M2, DType::F4}) {
    tiny.write(folder);
    SafetensorsWriter packed;
    packed.tensor("model.embed_tokens.weight", DType::BF16, {8, 32})
        .tensor("lm_head.weight", DType::BF16, {8, 32})
        .tensor("model.norm.weight", DType::BF16, {32});
    for (const std::string layer : {"model.layers.0.", "model.layers.1."}) {
      for (const char* name : {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj"})
        packed.tensor(layer + name + ".weight", dtype, {32, 32});
      for (const char* name : {"mlp.gate_proj", "mlp.up_proj"})
        packed.tensor(layer + name + ".weight", dtype, {64, 32});
      packed.tensor(layer + "mlp.down_proj.weight", dtype, {32, 64});
      for (const char* name : {"input_layernorm", "post_attention_layernorm"})
        packed.tensor(layer + name + ".weight", DType::BF16, {32});
    }
    (void)packed.write(folder / "model.safetensors");
    const auto error = fault();
    for (const char* parameter : {"qkv_w", "attn_out_w", "mlp_1_w", "mlp_2_w"})
      EXPECT_TRUE(has_fault(error, Errc::quantised_checkpoint,
                            {"transformer_layer_{0..1}", parameter, std::string("is stored as ") += name(dtype),
                             "only quantised weights", "use the original checkpoint"}))
          << parameter;
    EXPECT_EQ(error->total(), 4U);
  }
}

TEST_F(QuantisedCheckpoints, PlainOnesLoad) {
  for (const char* member : {R"("quantization_config": null,)", R"("compression_config": null,)",
                             R"("quantization": {"quant_algo": null, "kv_cache_quant_algo": null},)", ""}) {
    tiny.more = member;
    EXPECT_EQ(load(tiny.write(folder)).report().policy, "llama") << member;
  }
}

}  // namespace
}  // namespace ballast::test
