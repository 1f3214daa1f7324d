// What planning refuses: everything at once, each with its place, layers alike as one line.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "plan/small_model.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

Recipe fused(const ModelContext&, const Operands& o) { return concat(0, o[0][0], o[1][0], o[2][0]); }

void add_qkv(SmallModel& model, const std::string& prefix, std::uint64_t k_columns) {
  model.add(prefix + "qkv_w.q_params", DType::F32, {8, 6});
  model.add(prefix + "qkv_w.k_params", DType::F32, {4, k_columns});
  model.add(prefix + "qkv_w.v_params", DType::F32, {4, 6});
}

TEST(PlanFaults, OfLayersAlikeAreOneLine) {
  constexpr std::uint64_t kLayers = 48;
  SmallModel model;
  for (std::uint64_t l = 0; l < kLayers; ++l) add_qkv(model, "layers." + std::to_string(l) + ".", 5);
  model.layers(kLayers, {made(qkv("qkv_w"), fused)});
  const auto error = error_of([&] { (void)model.plan(); });
  ASSERT_TRUE(error);
  ASSERT_EQ(error->diagnostics().size(), 1U);
  const Diagnostic& d = error->diagnostics()[0];
  EXPECT_EQ(d.code, Errc::shape_mismatch);
  EXPECT_EQ(d.container, "transformer_layer_{0..47}");
  EXPECT_EQ(d.parameter, "qkv_w");
  EXPECT_NE(d.tensor.find("layers.{0..47}.qkv_w.k_params"), std::string::npos) << d.tensor;
  EXPECT_NE(d.expected.find("[8, 6]"), std::string::npos) << d.expected;
  EXPECT_EQ(d.got, "[4, 5]");
  EXPECT_EQ(d.file, "model-0.safetensors");
}

TEST(PlanFaults, OfAllParametersComeTogether) {
  SmallModel model;
  add_qkv(model, "layers.0.", 5);
  add_qkv(model, "layers.1.", 6);
  add_qkv(model, "layers.2.", 7);
  model.add("emb.params", DType::F32, {10, 6});
  model.layers(3, {made(qkv("qkv_w"), fused)});
  model.rest({made(weight("emb"), [](const ModelContext&, const Operands& o) { return shard(o[0][0], 0, 0, 2, 4); })});
  const auto error = error_of([&] { (void)model.plan(); });
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch, {"transformer_layer_0", "[4, 5]", "layers.0.qkv_w"}));
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch, {"transformer_layer_2", "[4, 7]"}));
  EXPECT_TRUE(has_fault(error, Errc::invalid_sharding, {"non_transformer", "emb", "a multiple of 4"}));
  EXPECT_EQ(error->total(), 3U);
}

TEST(PlanFaults, ARankCountThatCannotWorkSaysWhichWould) {
  SmallModel model;
  model.context.model_dim = 6;
  model.context.n_heads = 8;
  model.context.n_heads_kv = 2;
  model.context.head_size = 2;
  model.context.tp_size = 3;
  model.add("qkv_w.params", DType::F32, {24, 6});
  model.rest(
      {made(weight("qkv_w"), [](const ModelContext& m, const Operands& o) { return m.transform_qkv(o[0][0]); })});
  EXPECT_TRUE(fails_with([&] { (void)model.plan(); }, Errc::invalid_sharding,
                         {"8 query and 2 key/value heads", "1, 2, 4, 6 or 8 ranks", "3 ranks", "qkv_w"}));
}

TEST(PlanFaults, ARankBeyondTheLastIsRefused) {
  SmallModel model;
  model.context.tp_rank = model.context.tp_size = 2;
  model.rest({});
  EXPECT_TRUE(fails_with([&] { (void)model.plan(); }, Errc::invalid_sharding));
}

TEST(PlanFaults, WhatAFinalizeThrowsOfItsOwnIsReported) {
  SmallModel model;
  model.add("a.params", DType::F32, {4});
  model.add("b.params", DType::F32, {4});
  const Finalize fails = [](const ModelContext&, const Operands&) -> Recipe {
    throw std::runtime_error("no such luck");
  };
  model.rest({made(weight("a"), fails), kept("b")});
  EXPECT_TRUE(fails_with([&] { (void)model.plan(); }, Errc::finalize_failed,
                         {"finalize threw: no such luck", "non_transformer", "a", "a.params"}));
}

TEST(PlanFaults, AParameterWithoutFinalizeIsReported) {
  SmallModel model;
  model.add("a.params", DType::F32, {4});
  model.rest({weight("a")});
  EXPECT_TRUE(fails_with([&] { (void)model.plan(); }, Errc::finalize_failed, {"a.params"}));
}

TEST(PlanFaults, ValuesThatCannotBeReadYetAreRefusedByName) {
  SmallModel model;
  model.add("w.params", DType::Q4_K, {2, 256});
  model.rest(
      {made(weight("w"), [](const ModelContext& m, const Operands& o) { return m.to_activation_dtype(o[0][0]); })});
  EXPECT_TRUE(fails_with([&] { (void)model.plan(); }, Errc::dtype_unsupported, {"Q4_K", "F16", "w.params"}));
}

TEST(PlanFaults, ABlockThatWouldBeCutIsRefusedByName) {
  SmallModel model;
  model.add("w.params", DType::Q8_0, {4, 64});
  model.rest({made(weight("w"), [](const ModelContext&, const Operands& o) { return slice(o[0][0], 1, 16, 48); })});
  EXPECT_TRUE(fails_with([&] { (void)model.plan(); }, Errc::dtype_unsupported, {"Q8_0", "inside a block", "w.params"}));
}

TEST(PlanFaults, ATensorOfHalfABlockIsRefused) {
  SmallModel model;
  model.add("w.params", DType::Q8_0, {64});
  model.rest({made(weight("w"), [](const ModelContext&, const Operands& o) { return slice(o[0][0], 0, 0, 16); })});
  EXPECT_TRUE(
      fails_with([&] { (void)model.plan(); }, Errc::dtype_unsupported, {"whole number of blocks", "Q8_0 [16]"}));
}

}  // namespace
}  // namespace ballast::test
