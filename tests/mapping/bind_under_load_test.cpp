// The binding rules on as many names as a large mixture of experts has, spelt as published: what is said stays short.
#include <gtest/gtest.h>

#include "mapping/bind_catalog.hpp"

namespace ballast::test {
namespace {

constexpr int kLayers = 61;
constexpr int kExperts = 256;

// 61 layers of 256 experts, and one more that the policy skips on purpose.
struct UnderLoad : testing::Test {
  const ContainerSchema block =
      layer({qkv("qkv_w"), weight("norm"), weight("gate"), parameter("moe_mlp_1", {list("gates"), list("ups")}),
             parameter("moe_mlp_2", {list("downs")})},
            {{"self_attn.q_proj.weight", {"qkv_w.q_params"}},
             {"self_attn.k_proj.weight", {"qkv_w.k_params"}},
             {"self_attn.v_proj.weight", {"qkv_w.v_params"}},
             {"input_layernorm.weight", {"norm.params"}},
             {"mlp.gate.weight", {"gate.params"}},
             {"mlp.experts.*.gate_proj.weight", {"moe_mlp_1.gates"}},
             {"mlp.experts.*.up_proj.weight", {"moe_mlp_1.ups"}},
             {"mlp.experts.*.down_proj.weight", {"moe_mlp_2.downs"}}});
  const ContainerSchema rest = layer({weight("word_emb")}, {{"model.embed_tokens.weight", {"word_emb.params"}}});
  const ContainerMap map = ContainerMap()
                               .layers({"model.layers"}, block, kLayers)
                               .non_transformer(rest)
                               .skip("model.layers.61", "multi-token prediction");

  // `rename` may change a name, or empty it to leave it out.
  template <class Rename>
  static std::vector<std::string> names(Rename&& rename) {
    std::vector<std::string> all;
    const auto add = [&](std::string name) {
      rename(name);
      if (!name.empty()) all.push_back(std::move(name));
    };
    add("model.embed_tokens.weight");
    for (int l = 0; l <= kLayers; ++l) {
      const std::string prefix = "model.layers." + std::to_string(l) + ".";
      for (const char* local :
           {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "input_layernorm", "mlp.gate"})
        add(prefix + local + ".weight");
      for (int e = 0; e < kExperts; ++e)
        for (const char* local : {"gate_proj", "up_proj", "down_proj"})
          add(prefix + "mlp.experts." + std::to_string(e) + "." + local + ".weight");
    }
    return all;
  }
  template <class Rename>
  [[nodiscard]] std::optional<Error> with(Rename&& rename) const {
    return bind_error(names(std::forward<Rename>(rename)), map, context_of(kLayers, kExperts));
  }
};

void replace(std::string& name, std::string_view from, std::string_view to) {
  if (const std::size_t at = name.find(from); at != std::string::npos) name.replace(at, from.size(), to);
}

TEST_F(UnderLoad, SkippedNamesAreCountedAndListed) {
  const Binding binding = bind_names(names([](std::string&) {}), map, context_of(kLayers, kExperts));
  ASSERT_EQ(binding.skipped.size(), 5U + 3U * kExperts);
  for (const SkippedTensor& skipped : binding.skipped) EXPECT_EQ(skipped.reason, "multi-token prediction");
}

TEST_F(UnderLoad, ProjectionOfAnotherSpellingIsTwoLines) {
  const auto error = with([](std::string& name) { replace(name, ".up_proj.", ".upp_proj."); });
  EXPECT_TRUE(has_fault(error, Errc::name_unclaimed,
                        {"15616 tensors are", "\"model.layers.{0..60}.mlp.experts.{0..255}.upp_proj.weight\"",
                         "transformer_layer_{0..60}"}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing,
                        {"15616 tensors are missing", "\"model.layers.{0..60}.mlp.experts.{0..255}.up_proj.weight\"",
                         "transformer_layer_{0..60}.moe_mlp_1.ups"}));
  EXPECT_EQ(error->total(), 2U);
}

TEST_F(UnderLoad, NearestNameIsGiven) {
  const auto error = with([](std::string& name) { replace(name, ".7.self_attn.q_proj.", ".7.self_attn.q_projj."); });
  EXPECT_TRUE(
      has_fault(error, Errc::name_unclaimed,
                {"\"model.layers.7.self_attn.q_projj.weight\"", "nearest:  model.layers.7.self_attn.q_proj.weight"}));
  EXPECT_EQ(error->total(), 2U);
}

TEST_F(UnderLoad, ScatteredExpertsAreOneLine) {
  const auto error = with([](std::string& name) {
    for (const char* expert : {".3.mlp.experts.17.", ".3.mlp.experts.18.", ".3.mlp.experts.200."})
      if (name.find(std::string(expert) + "down_proj") != std::string::npos) name.clear();
  });
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing,
                        {"3 tensors are missing", "\"model.layers.3.mlp.experts.{17..18,200}.down_proj.weight\"",
                         "transformer_layer_3.moe_mlp_2.downs"}));
  EXPECT_EQ(error->total(), 1U);
}

// Names of a layer under the number of another: they are said where they are, and missed where they should be.
TEST_F(UnderLoad, LayerUnderANumberThatTheModelDoesNotHave) {
  const auto error = with([](std::string& name) { replace(name, ".layers.7.", ".layers.70."); });
  EXPECT_TRUE(has_fault(error, Errc::layer_index_out_of_range,
                        {"773 tensors belong", "\"model.layers.70.*\"", "a layer number below 61"}));
  EXPECT_TRUE(has_fault(
      error, Errc::dependency_missing,
      {"256 tensors", "\"model.layers.7.mlp.experts.{0..255}.up_proj.weight\"", "nothing of this layer is there"}));
  EXPECT_EQ(error->total(), 1U + 5U + 3U);
}

TEST_F(UnderLoad, TwoLayersThatTradedANameOfEach) {
  std::vector<std::string> all = names([](std::string& name) {
    if (name == "model.layers.4.self_attn.q_proj.weight")
      name = "model.layers.5.self_attn.qq_proj.weight";
    else if (name == "model.layers.5.self_attn.k_proj.weight")
      name = "model.layers.4.self_attn.kk_proj.weight";
  });
  const auto error = bind_error(std::move(all), map, context_of(kLayers, kExperts));
  EXPECT_TRUE(
      has_fault(error, Errc::name_unclaimed, {"model.layers.5.self_attn.qq_proj.weight", "transformer_layer_5"}));
  EXPECT_TRUE(
      has_fault(error, Errc::name_unclaimed, {"model.layers.4.self_attn.kk_proj.weight", "transformer_layer_4"}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"model.layers.4.self_attn.q_proj.weight"}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"model.layers.5.self_attn.k_proj.weight"}));
  EXPECT_EQ(error->total(), 4U);
}

TEST_F(UnderLoad, NamesOfAnotherModelAmongThem) {
  std::vector<std::string> all = names([](std::string&) {});
  for (int l = 0; l < 12; ++l)
    for (const char* local : {"attention.self.query", "intermediate.dense"})
      all.push_back("encoder.layer." + std::to_string(l) + "." + local + ".weight");
  const auto error = bind_error(std::move(all), map, context_of(kLayers, kExperts));
  EXPECT_TRUE(
      has_fault(error, Errc::name_unclaimed, {"12 tensors", "encoder.layer.{0..11}.attention.self.query.weight"}));
  EXPECT_TRUE(
      has_fault(error, Errc::name_unclaimed, {"12 tensors", "encoder.layer.{0..11}.intermediate.dense.weight"}));
  EXPECT_EQ(error->total(), 2U);
}

TEST_F(UnderLoad, CompanionsOfAllAreALineForEachKind) {
  std::vector<std::string> all = names([](std::string&) {});
  const std::size_t n = all.size();
  for (std::size_t i = 0; i < n; ++i)
    if (all[i].find(".experts.") != std::string::npos) all.push_back(all[i] + "_scale_inv");
  const auto error = bind_error(std::move(all), map, context_of(kLayers, kExperts));
  EXPECT_TRUE(has_fault(error, Errc::companion_unclaimed,
                        {"15616 tensors belong to quantised weights (FP8 blocks)",
                         "\"model.layers.{0..60}.mlp.experts.{0..255}.down_proj.weight_scale_inv\""}));
  EXPECT_EQ(error->total(), 3U);
}

}  // namespace
}  // namespace ballast::test
