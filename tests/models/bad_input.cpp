// Checkpoints that contradict their config, or themselves, each by the least there is: one report with all of it, and
// not a byte of weights read.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <tuple>

#include "ballast/models/llama.hpp"
#include "models/tiny_llama.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

// A Llama whose layers are mixtures of experts.
struct ExpertsGated {
  DependencyList<&ModelContext::n_experts> gates, ups;
  Recipe finalize(const ModelContext& m) const { return m.transform_gated_moe_mlp_1(stack(gates), stack(ups)); }
};
struct ExpertsDown {
  DependencyList<&ModelContext::n_experts> experts;
  Recipe finalize(const ModelContext& m) const { return m.transform_moe_mlp_2(stack(experts)); }
};
struct Gate {
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_moe_gate(params); }
};
struct MoeLayer {
  Parameter<models::UnfusedQkv> qkv_w;
  Parameter<models::AttentionOutput> attn_out_w;
  Parameter<Gate> moe_gate;
  Parameter<ExpertsGated> moe_mlp_1;
  Parameter<ExpertsDown> moe_mlp_2;
  Parameter<models::Norm> attn_norm_gamma;
  static constexpr auto param_mapping =
      mapping<MoeLayer>(from("self_attn.q_proj.weight", to<&MoeLayer::qkv_w, &models::UnfusedQkv::q_params>),
                        from("self_attn.k_proj.weight", to<&MoeLayer::qkv_w, &models::UnfusedQkv::k_params>),
                        from("self_attn.v_proj.weight", to<&MoeLayer::qkv_w, &models::UnfusedQkv::v_params>),
                        from("self_attn.o_proj.weight", to<&MoeLayer::attn_out_w, &models::AttentionOutput::params>),
                        from("mlp.gate.weight", to<&MoeLayer::moe_gate, &Gate::params>),
                        from("mlp.experts.*.gate_proj.weight", to<&MoeLayer::moe_mlp_1, &ExpertsGated::gates>),
                        from("mlp.experts.*.up_proj.weight", to<&MoeLayer::moe_mlp_1, &ExpertsGated::ups>),
                        from("mlp.experts.*.down_proj.weight", to<&MoeLayer::moe_mlp_2, &ExpertsDown::experts>),
                        from("input_layernorm.weight", to<&MoeLayer::attn_norm_gamma, &models::Norm::params>));
};
struct TinyMoePolicy {
  static constexpr std::string_view name = "tiny_moe";
  static constexpr std::array<std::string_view, 1> model_types{"tiny_moe"};
  static constexpr std::array<std::string_view, 1> architectures{"TinyMoe"};
  using Layer = MoeLayer;
  using NonTransformer = models::LlamaNonTransformer;
  static ModelContext context(const ModelConfig& config) { return ModelContext::from_config(config); }
  static ContainerMap container_map(const ModelContext& m) {
    return ContainerMap()
        .layers({"model.layers"}, schema_of<MoeLayer>(), m.n_layers)
        .non_transformer(schema_of<NonTransformer>());
  }
};

// 3 layers; 4 query and 2 key/value heads of 8; dimension 32; for the mixture 3 experts of 48.
struct BadInput : testing::Test {
  std::map<std::string, std::string> config{{"model_type", "\"llama\""},  {"hidden_size", "32"},
                                            {"intermediate_size", "64"},  {"num_hidden_layers", "3"},
                                            {"num_attention_heads", "4"}, {"num_key_value_heads", "2"},
                                            {"vocab_size", "8"},          {"tie_word_embeddings", "false"}};
  std::map<std::string, TensorSpec> tensors;
  PolicyRegistry policies;
  TempFolder folder;

  BadInput() {
    policies.add<models::LlamaPolicy>();
    policies.add<TinyMoePolicy>();
    put("model.embed_tokens", {8, 32});
    put("lm_head", {8, 32});
    put("model.norm", {32});
    for (int l = 0; l < 3; ++l) {
      const std::string layer = "model.layers." + std::to_string(l) + ".";
      put(layer + "self_attn.q_proj", {32, 32});
      put(layer + "self_attn.k_proj", {16, 32});
      put(layer + "self_attn.v_proj", {16, 32});
      put(layer + "self_attn.o_proj", {32, 32});
      put(layer + "mlp.gate_proj", {64, 32});
      put(layer + "mlp.up_proj", {64, 32});
      put(layer + "mlp.down_proj", {32, 64});
      put(layer + "input_layernorm", {32});
      put(layer + "post_attention_layernorm", {32});
    }
  }
  void make_mixture() {
    config["model_type"] = "\"tiny_moe\"";
    config["intermediate_size"] = "48";
    config["num_local_experts"] = "3";
    std::erase_if(tensors, [](const auto& entry) {
      return entry.first.find(".mlp.") != std::string::npos || entry.first.find("post_att") != std::string::npos;
    });
    for (int l = 0; l < 3; ++l) {
      const std::string layer = "model.layers." + std::to_string(l) + ".mlp.";
      put(layer + "gate", {3, 32});
      for (int e = 0; e < 3; ++e) put_expert(l, e);
    }
  }
  void put(const std::string& stem, const Shape& shape, DType dtype = DType::BF16) {
    tensors[stem + ".weight"] = {dtype, shape};
  }
  void put_expert(int layer, int expert) {
    const std::string path = fmt::format("model.layers.{}.mlp.experts.{}.", layer, expert);
    put(path + "gate_proj", {48, 32});
    put(path + "up_proj", {48, 32});
    put(path + "down_proj", {32, 48});
  }
  void erase_all(std::string_view part) {
    std::erase_if(tensors, [&](const auto& entry) { return entry.first.find(part) != std::string::npos; });
  }

  void write() const {
    SafetensorsWriter writer;
    for (const auto& [name, spec] : tensors) writer.tensor(name, spec.dtype, spec.shape);
    (void)writer.write(folder / "model.safetensors");
    std::string json;
    for (const auto& [key, value] : config) json += fmt::format("{}\"{}\": {}", json.empty() ? "{" : ", ", key, value);
    folder.write("config.json", json + "}");
  }
  // What loading says; no weights have been read by then.
  [[nodiscard]] std::optional<Error> fault() const {
    write();
    return fault_of_what_is_there();
  }
  [[nodiscard]] std::optional<Error> fault_of_what_is_there() const {
    bool has_read = false;
    LoadOptions options = without_reading(has_read);
    options.policies = &policies;
    auto error = error_of([&] { (void)load(folder.path(), options); });
    EXPECT_FALSE(has_read);
    return error;
  }
};

TEST_F(BadInput, NothingIsWrongWithTheOnesThatAreMadeWrongHere) {
  const auto loads = [&] {
    write();
    LoadOptions options;
    options.policies = &policies;
    return error_of([&] { (void)load(folder.path(), options); });
  };
  EXPECT_FALSE(loads().has_value());
  make_mixture();
  const auto error = loads();
  EXPECT_FALSE(error.has_value()) << error->what();
}

TEST_F(BadInput, ConfigOfOtherKeyValueHeads) {
  config["num_key_value_heads"] = "4";
  const auto error = fault();
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch,
                        {"transformer_layer_{0..2}.qkv_w", "96 along axis 0", "4 query and 2 x 4 key/value heads of 8",
                         "[64, 32]", "the tensors fit \"num_key_value_heads\": 2"}));
  EXPECT_EQ(error->total(), 1U);
}

TEST_F(BadInput, ConfigOfOtherHeads) {
  config["num_attention_heads"] = "8";
  config["head_dim"] = "8";
  const auto error = fault();
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch, {"qkv_w", "96 along axis 0", "[64, 32]"}));
  EXPECT_TRUE(
      has_fault(error, Errc::shape_mismatch, {"attn_out_w", "64 along axis 1 (8 query heads of 8)", "[32, 32]"}));
  EXPECT_EQ(error->total(), 2U);
}

TEST_F(BadInput, ConfigOfAnotherHeadSize) {
  config["head_dim"] = "16";
  EXPECT_TRUE(has_fault(fault(), Errc::shape_mismatch, {"qkv_w", "[64, 32]", "the tensors fit \"head_dim\": 8"}));
}

TEST_F(BadInput, ConfigOfAnotherDimensionIsToldByNormsToo) {
  config["hidden_size"] = "64";
  config["head_dim"] = "8";
  const auto error = fault();
  for (const char* parameter : {"word_emb", "word_unembed", "qkv_w", "attn_out_w", "mlp_1_w", "mlp_2_w"})
    EXPECT_TRUE(has_fault(error, Errc::shape_mismatch, {parameter, "64", "\"hidden_size\": 32"})) << parameter;
  config["hidden_size"] = "48";
  EXPECT_EQ(fault()->total(), 6U);  // 32 is all the heads together, and might be a norm of those
  config["num_attention_heads"] = "2";
  for (const char* parameter : {"attn_norm_gamma", "mlp_norm_gamma", "final_norm"})
    EXPECT_TRUE(has_fault(fault(), Errc::shape_mismatch, {parameter, "48 (the model dimension)", "[32]"})) << parameter;
}

TEST_F(BadInput, ConfigOfMoreLayers) {
  config["num_hidden_layers"] = "5";
  const auto error = fault();
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing,
                        {"2 tensors", "model.layers.{3..4}.mlp.down_proj.weight",
                         "the config has 5 layers, the checkpoint 3: a config.json of another model"}));
  EXPECT_EQ(error->total(), 9U);
}

TEST_F(BadInput, ConfigOfFewerLayersIsOneLine) {
  config["num_hidden_layers"] = "1";
  const auto error = fault();
  EXPECT_TRUE(has_fault(error, Errc::layer_index_out_of_range,
                        {"18 tensors", "\"model.layers.{1..2}.*\"", "a layer number below 1", "names of 9 forms",
                         "a config.json of another model"}));
  EXPECT_EQ(error->total(), 1U);
}

TEST_F(BadInput, ConfigOfALargerVocabulary) {
  config["vocab_size"] = "9";
  const auto error = fault();
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch, {"word_emb", "at least 9", "[8, 32]", "\"vocab_size\": 8"}));
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch, {"word_unembed", "at least 9", "[8, 32]", "\"vocab_size\": 8"}));
  EXPECT_EQ(error->total(), 2U);
}

TEST_F(BadInput, ConfigOfMoreExperts) {
  make_mixture();
  config["num_local_experts"] = "4";
  const auto error = fault();
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing,
                        {"3 tensors", "model.layers.{0..2}.mlp.experts.3.gate_proj.weight",
                         "the config has 4 of them, the checkpoint 3"}));
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch,
                        {"moe_gate", "4 along axis 0 (the experts)", "[3, 32]", "\"num_experts\": 3"}));
  EXPECT_EQ(error->total(), 4U);
}

TEST_F(BadInput, ConfigOfFewerExperts) {
  make_mixture();
  config["num_local_experts"] = "2";
  const auto error = fault();
  EXPECT_TRUE(has_fault(error, Errc::list_index_invalid,
                        {"3 tensors", "model.layers.{0..2}.mlp.experts.2.down_proj.weight", "a decimal index below 2",
                         "a config.json of another model"}));
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch, {"moe_gate", "2 along axis 0", "[3, 32]"}));
  EXPECT_EQ(error->total(), 4U);
}

TEST_F(BadInput, ConfigOfAnotherSizeOfExperts) {
  make_mixture();
  config["intermediate_size"] = "64";
  const auto error = fault();
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch, {"moe_mlp_1", "64 along axis 1", "[3, 48, 32]"}));
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch, {"moe_mlp_2", "64 along axis 2", "[3, 32, 48]"}));
  EXPECT_EQ(error->total(), 2U);
}

TEST_F(BadInput, SizeOfExpertsOfItsOwnCounts) {
  make_mixture();
  config["intermediate_size"] = "64";
  config["moe_intermediate_size"] = "48";
  write();
  LoadOptions options;
  options.policies = &policies;
  EXPECT_EQ(prepare(folder.path(), options).context->moe_intermediate_dim, 48U);
}

TEST_F(BadInput, LayerMissingInTheMiddle) {
  erase_all(".layers.1.");
  const auto error = fault();
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing,
                        {"model.layers.1.mlp.down_proj.weight", "transformer_layer_1.mlp_2_w",
                         "nothing of this layer is there: an incomplete checkpoint"}));
  EXPECT_EQ(error->total(), 9U);
}

TEST_F(BadInput, ExpertMissing) {
  make_mixture();
  erase_all(".layers.1.mlp.experts.1.up_proj");
  const auto error = fault();
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing,
                        {"a tensor is missing", "model.layers.1.mlp.experts.1.up_proj.weight",
                         "transformer_layer_1.moe_mlp_1.ups", "an incomplete checkpoint"}));
  EXPECT_EQ(error->total(), 1U);
}

TEST_F(BadInput, ExpertTooMany) {
  make_mixture();
  put_expert(1, 3);
  const auto error = fault();
  EXPECT_TRUE(has_fault(
      error, Errc::list_index_invalid,
      {"model.layers.1.mlp.experts.3.up_proj.weight", "transformer_layer_1.moe_mlp_1.ups", "a decimal index below 3"}));
  EXPECT_EQ(error->total(), 3U);
}

TEST_F(BadInput, TensorOfAnotherShape) {
  put("model.layers.1.mlp.down_proj", {32, 63});
  const auto error = fault();
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch,
                        {"transformer_layer_1.mlp_2_w", "model.layers.1.mlp.down_proj.weight", "64 along axis 1",
                         "[32, 63]", "model.safetensors"}));
  EXPECT_EQ(error->total(), 1U);
}

TEST_F(BadInput, ExpertOfAnotherShape) {
  make_mixture();
  put("model.layers.1.mlp.experts.2.up_proj", {47, 32});
  const auto error = fault();
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch, {"transformer_layer_1.moe_mlp_1", "[48, 32]", "[47, 32]"}));
  EXPECT_EQ(error->total(), 1U);
}

TEST_F(BadInput, TensorOfAnotherDtype) {
  put("model.layers.1.self_attn.k_proj", {16, 32}, DType::F32);
  const auto error = fault();
  EXPECT_TRUE(has_fault(error, Errc::dtype_mismatch, {"transformer_layer_1.qkv_w", "BF16", "F32"}));
  EXPECT_EQ(error->total(), 1U);
}

TEST_F(BadInput, TransposedTensorIsToldAsSuch) {
  put("model.layers.1.mlp.down_proj", {64, 32});
  put("model.layers.2.self_attn.k_proj", {32, 16});
  put("lm_head", {32, 8});
  const auto error = fault();
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch,
                        {"transformer_layer_1.mlp_2_w", "[64, 32]", "the tensor is transposed", "Conv1D"}));
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch,
                        {"transformer_layer_2.qkv_w", "[32, 16]", "one of the tensors is transposed"}));
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch, {"word_unembed", "[32, 8]", "the tensor is transposed"}));
  EXPECT_EQ(error->total(), 3U);
}

TEST_F(BadInput, TransposedExperts) {
  make_mixture();
  for (int l = 0; l < 3; ++l)
    for (int e = 0; e < 3; ++e) put(fmt::format("model.layers.{}.mlp.experts.{}.down_proj", l, e), {48, 32});
  const auto error = fault();
  EXPECT_TRUE(
      has_fault(error, Errc::shape_mismatch, {"transformer_layer_{0..2}.moe_mlp_2", "the tensor is transposed"}));
  EXPECT_EQ(error->total(), 1U);
}

// A file whose writing or fetching stopped: its header is whole, its data are not.
TEST_F(BadInput, HalfOfAFile) {
  write();
  const std::string path = folder / "model.safetensors";
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  EXPECT_TRUE(
      has_fault(fault_of_what_is_there(), Errc::extent_out_of_file, {"model.safetensors", "an incomplete download?"}));
}

// Faults of names, shapes and dtypes at once: none hides the others, and nothing is said twice.
TEST_F(BadInput, ManyAtOnceAreOneReport) {
  config["num_key_value_heads"] = "1";
  config["vocab_size"] = "100";
  erase_all("layers.1.mlp.up_proj");
  put("model.layers.0.self_attn.q_norm", {8});
  put("model.layers.3.input_layernorm", {32});
  put("model.layers.2.mlp.down_proj", {64, 32});
  const auto error = fault();
  EXPECT_TRUE(has_fault(error, Errc::name_unclaimed, {"model.layers.0.self_attn.q_norm.weight"}));
  EXPECT_TRUE(has_fault(error, Errc::layer_index_out_of_range, {"\"model.layers.3.input_layernorm.weight\""}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"model.layers.1.mlp.up_proj.weight"}));
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch, {"transformer_layer_{0..2}.qkv_w", "num_key_value_heads"}));
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch, {"word_emb", "100"}));
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch, {"word_unembed", "100"}));
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch, {"transformer_layer_2.mlp_2_w", "transposed"}));
  EXPECT_EQ(error->total(), 7U);
}

// The head of a model whose config ties it is compared once both are read: it is a warning of the load (B8), since
// either may be meant. What its header tells is an error before that.
TEST_F(BadInput, HeadOfATiedModelWithAnotherShape) {
  config["tie_word_embeddings"] = "true";
  put("lm_head", {8, 16});
  EXPECT_TRUE(has_fault(fault(), Errc::shape_mismatch, {"word_unembed", "32 along axis 1", "[8, 16]"}));
}

}  // namespace
}  // namespace ballast::test
