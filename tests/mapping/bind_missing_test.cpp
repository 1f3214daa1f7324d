// B5: everything missing is listed: container, parameter, dependency, and the name it waits for.
#include <gtest/gtest.h>

#include "mapping/bind_catalog.hpp"

namespace ballast::test {
namespace {

struct Missing : testing::Test {
  const ContainerSchema block =
      layer({qkv("qkv_w"), parameter("bias", {optional("params")})},
            {{"q", {"qkv_w.q_params"}}, {"k", {"qkv_w.k_params"}}, {"v", {"qkv_w.v_params"}}, {"b", {"bias.params"}}});
  const ContainerSchema rest = layer({weight("norm")}, {{"model.norm.weight", {"norm.params"}}});
  const ContainerMap map = ContainerMap().layers({"model.layers"}, block, 2).non_transformer(rest);
};

TEST_F(Missing, SaysWhereAndWhat) {
  const auto error = bind_error({"model.layers.0.q", "model.layers.0.k", "model.layers.0.v", "model.layers.1.q",
                                 "model.layers.1.v", "model.norm.weight"},
                                map, context_of(2));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing,
                        {"bind: a tensor is missing from the checkpoint", "\"model.layers.1.k\"",
                         "transformer_layer_1.qkv_w.k_params", "/models/m", "an incomplete checkpoint"}));
  EXPECT_EQ(error->total(), 1U);
}

TEST_F(Missing, ListsAllThatIs) {
  const auto error = bind_error({"model.layers.0.q", "model.layers.1.q"}, map, context_of(2));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"\"model.layers.{0..1}.k\"", "2 tensors are missing"}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"\"model.layers.{0..1}.v\""}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"\"model.norm.weight\"", "non_transformer.norm.params"}));
  EXPECT_EQ(error->total(), 3U);
}

TEST_F(Missing, EverythingOfAnEmptyCatalog) {
  EXPECT_EQ(bind_error({}, map, context_of(2))->total(), 4U);  // q, k, v, norm
}

TEST_F(Missing, OptionalOnesMayBe) {
  const Binding binding = bind_names({"model.layers.0.q", "model.layers.0.k", "model.layers.0.v", "model.layers.1.q",
                                      "model.layers.1.k", "model.layers.1.v", "model.norm.weight", "model.layers.1.b"},
                                     map, context_of(2));
  EXPECT_EQ(binding.containers[0].sources.back(), kUnbound);
  EXPECT_EQ(binding.containers[1].sources.back(), 7U);
}

TEST_F(Missing, ContainersFilledByHandWaitForNothing) {
  const ContainerSchema by_hand = layer({weight("w")}, {});
  EXPECT_EQ(bind_names({}, only(by_hand)).containers[0].sources[0], kUnbound);
}

TEST_F(Missing, IsReportedTogetherWithWhatNobodyClaims) {
  const auto error = bind_error({"model.layers.0.q", "model.layers.1.q", "stray"}, map, context_of(2));
  EXPECT_EQ(count_faults(error, Errc::dependency_missing), 3U);
  EXPECT_EQ(count_faults(error, Errc::name_unclaimed), 1U);
}

}  // namespace
}  // namespace ballast::test
