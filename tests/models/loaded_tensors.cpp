// What a load hands out: views of one block, described as DLPack describes tensors, and a report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/expected.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;

TEST(LoadedTensors, LieInTheArenaAlignedAndContiguous) {
  const LoadedModel loaded = load(checkpoint_path("llama_gqa_bf16_sharded"));
  const std::byte* begin = loaded.arena().data();
  const std::byte* end = begin + loaded.arena().size();
  for (const LayerContainer& container : loaded.model().containers())
    for (const ParameterState& parameter : container.parameters()) {
      const Tensor& tensor = parameter.tensor();
      const auto* data = tensor.as<const std::byte>();
      EXPECT_TRUE(data >= begin && data + tensor.nbytes() <= end) << parameter.name();
      EXPECT_EQ((data - begin) % 256, 0) << parameter.name();
      EXPECT_TRUE(tensor.is_contiguous()) << parameter.name();
      EXPECT_EQ(tensor.device, Device()) << parameter.name();
      EXPECT_EQ(dl_type(tensor.dtype).code, 4) << parameter.name();  // bfloat
      EXPECT_EQ(tensor.strides[tensor.shape.rank() - 1], 1U) << parameter.name();
    }
}

TEST(LoadedTensors, KeepTheArenaAliveWithTheirOwner) {
  InferenceParameter kept;
  std::string before;
  {
    const LoadedModel loaded = load(checkpoint_path("bert_f32"));
    kept = loaded.model().layer(0)["qkv_b"].value();
    before = digest(kept.tensor());
  }
  EXPECT_EQ(digest(kept.tensor()), before);
}

TEST(LoadedTensors, NameTheirSources) {
  const LoadedModel loaded = load(checkpoint_path("llama_mha_f32"));
  EXPECT_THAT(loaded.sources(1, 0),
              ElementsAre("model.layers.1.self_attn.q_proj.weight", "model.layers.1.self_attn.k_proj.weight",
                          "model.layers.1.self_attn.v_proj.weight"));
  EXPECT_THAT(loaded.sources(2, 1), ElementsAre("lm_head.weight"));
}

TEST(LoadedTensors, NameTheEmbeddingAsTheSourceOfATiedHead) {
  const LoadedModel loaded = load(checkpoint_path("llama_tied_f16"));
  EXPECT_THAT(loaded.sources(2, 1), ElementsAre("model.embed_tokens.weight"));
}

TEST(LoadedTensors, OfAbsentOptionalDependenciesHaveNoSources) {
  const LoadedModel loaded = load(checkpoint_path("bert_mlm_f16"));
  EXPECT_THAT(loaded.sources(2, *loaded.model().non_transformer().schema().find("pooler_w")), ElementsAre());
}

TEST(LoadReport, ListsWhatWasSkippedAndWhy) {
  const LoadedModel loaded = load(checkpoint_path("llama_old_names"));
  const LoadReport& report = loaded.report();
  ASSERT_EQ(report.skipped.size(), 2U);
  EXPECT_EQ(loaded.catalog().tensors[report.skipped[0].tensor].name, "model.layers.0.self_attn.rotary_emb.inv_freq");
  EXPECT_NE(report.skipped[0].reason.find("rotary"), std::string::npos);
}

TEST(LoadReport, CountsWhatWasReadAndHeld) {
  const LoadedModel loaded = load(checkpoint_path("llama_mha_f32"));
  std::uint64_t held = 0;
  for (const LayerContainer& container : loaded.model().containers())
    for (const ParameterState& parameter : container.parameters()) held += parameter.tensor().nbytes();
  EXPECT_EQ(loaded.report().bytes_loaded, held);
  EXPECT_EQ(loaded.report().execute.bytes_read, loaded.catalog().tensor_bytes());
  const LoadReport::Seconds& s = loaded.report().seconds;
  EXPECT_GT(s.total, 0);
  EXPECT_DOUBLE_EQ(s.total, s.open + s.bind + s.plan + s.execute);
}

}  // namespace
}  // namespace ballast::test
