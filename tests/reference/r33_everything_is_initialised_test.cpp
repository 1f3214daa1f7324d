// R33: that every container will be initialised is known before loading, with all faults at once.
#include <gtest/gtest.h>

#include "models/expected.hpp"
#include "models/tiny_llama.hpp"
#include "support/faults.hpp"

namespace ballast::reference {
namespace {

TEST(R33, EveryContainerIsInitialisedAfterLoading) {
  const LoadedModel loaded = load(test::checkpoint_path("llama_mha_f32"));
  ASSERT_EQ(loaded.model().containers().size(), 3U);
  for (const LayerContainer& container : loaded.model().containers()) EXPECT_TRUE(container.is_initialized());
}

TEST(R33, WhatWouldNotBeIsReportedAtOnceBeforeAnythingIsRead) {
  const test::TempFolder folder;
  test::TinyLlama tiny;
  tiny.layers = 3;
  tiny.has_head = false;
  bool has_read = false;
  const auto error = test::error_of([&] { (void)load(tiny.write(folder), test::without_reading(has_read)); });
  EXPECT_TRUE(test::has_fault(error, Errc::dependency_missing, {"transformer_layer_2.qkv_w.q_params"}));
  EXPECT_TRUE(test::has_fault(error, Errc::dependency_missing, {"transformer_layer_2.mlp_2_w.params"}));
  EXPECT_TRUE(test::has_fault(error, Errc::dependency_missing, {"non_transformer.word_unembed.params"}));
  EXPECT_EQ(error->total(), 10U);
  EXPECT_FALSE(has_read);
}

}  // namespace
}  // namespace ballast::reference
