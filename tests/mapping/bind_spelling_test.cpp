// B5: what is missing is called as the checkpoint at hand would call it.
#include <gtest/gtest.h>

#include "mapping/bind_catalog.hpp"

namespace ballast::test {
namespace {

struct Spelling : testing::Test {
  const ContainerSchema block{
      "layer",
      {weight("up"), weight("down")},
      {any_of({"mlp.up.weight", "ffn_up.weight"}, "up"), any_of({"mlp.down.weight", "ffn_down.weight"}, "down")}};
  const ContainerSchema rest{"rest", {weight("emb")}, {any_of({"model.emb.weight", "token_embd.weight"}, "emb")}};
  const ContainerMap map =
      ContainerMap().optional_root("root").layers({"model.layers", "blk"}, block, 2).non_transformer(rest);
};

TEST_F(Spelling, OfGgufNames) {
  const auto error =
      bind_error({"blk.0.ffn_up.weight", "blk.0.ffn_down.weight", "blk.1.ffn_up.weight"}, map, context_of(2));
  EXPECT_TRUE(
      has_fault(error, Errc::dependency_missing, {"\"blk.1.ffn_down.weight\"", "this name, or 'mlp.down.weight'"}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"\"token_embd.weight\""}));
}

TEST_F(Spelling, OfHubNames) {
  const auto error = bind_error({"model.layers.0.mlp.up.weight", "model.emb.weight"}, map, context_of(2));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"\"model.layers.{0..1}.mlp.down.weight\""}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"\"model.layers.1.mlp.up.weight\""}));
}

TEST_F(Spelling, PrefixWithinALongerNameDoesNotCount) {
  const auto error = bind_error({"x.blk.0.w"}, map, context_of(2));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"\"model.layers.{0..1}.mlp.up.weight\""}));
}

TEST_F(Spelling, HasTheRootThatTheOthersHave) {
  const auto error = bind_error({"root.blk.0.ffn_up.weight"}, map, context_of(2));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"\"root.blk.{0..1}.ffn_down.weight\""}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"\"root.token_embd.weight\""}));
}

}  // namespace
}  // namespace ballast::test
