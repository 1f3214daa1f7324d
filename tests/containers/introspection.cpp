// S8: number and names of parameters, the mapping, list patterns, what is still awaited.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "containers/streaming.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;

// "qkv_w.k_params from attn.k.weight" of each that is awaited.
std::vector<std::string> awaited(const LayerContainer& container) {
  std::vector<std::string> all;
  for (const Awaited& one : container.awaited())
    all.push_back(fmt::format("{}.{}{} from {}", one.parameter, one.dependency,
                              one.index ? fmt::format("[{}]", *one.index) : "", one.source));
  return all;
}

TEST(Introspection, NumberAndNamesOfParameters) {
  const LayerContainer container = container_of();
  EXPECT_EQ(container.name(), "transformer_layer_3");
  EXPECT_EQ(container.n_params(), 3U);
  EXPECT_THAT(container.parameter_names(), ElementsAre("qkv_w", "norm", "moe_w"));
}

TEST(Introspection, MappingAndListPatterns) {
  const LayerContainer container = container_of();
  EXPECT_EQ(container.schema().name(), "Layer");
  EXPECT_EQ(container.schema().rules().size(), 4U);
  EXPECT_THAT(container.schema().rules()[2].sources, ElementsAre("norm.weight", "norm.gamma"));
  EXPECT_THAT(container.schema().list_patterns(), ElementsAre("mlp.experts.*.weight"));
}

TEST(Introspection, ParametersKnowTheirContainerAndModel) {
  LayerContainer container = container_of();
  const ParameterState& norm = container["norm"];
  EXPECT_EQ(norm.name(), "norm");
  EXPECT_EQ(norm.container_name(), "transformer_layer_3");
  EXPECT_EQ(norm.model().n_experts, 2U);
  EXPECT_EQ(norm.schema().type, "Weight");
  EXPECT_EQ(&norm, &container.parameters()[1]);
}

TEST(Introspection, UnknownParameterListsTheValidOnes) {
  const LayerContainer container = container_of();
  EXPECT_TRUE(fails_with([&] { (void)container["mlp"]; }, Errc::unknown_parameter,
                         {"'mlp'", "transformer_layer_3", "one of: qkv_w, norm, moe_w"}));
}

TEST(Awaited, IsEverythingAtFirst) {
  EXPECT_THAT(awaited(container_of()),
              ElementsAre("qkv_w.q_params from attn.q.weight", "qkv_w.k_params from attn.k.weight",
                          "norm.params from norm.weight", "moe_w.experts[0] from mlp.experts.0.weight",
                          "moe_w.experts[1] from mlp.experts.1.weight"));
}

TEST(Awaited, IsWhatHasNotCome) {
  LayerContainer container = container_of();
  hand_in(container, "mlp.experts.0.weight", stored({1}, {0}));
  hand_in(container, "attn.k.weight", stored({1}, {0}));
  container.direct_injection("norm", {});
  EXPECT_THAT(awaited(container),
              ElementsAre("qkv_w.q_params from attn.q.weight", "moe_w.experts[1] from mlp.experts.1.weight"));
  hand_in(container, "attn.q.weight", stored({1}, {0}));
  hand_in(container, "mlp.experts.1.weight", stored({1}, {0}));
  EXPECT_THAT(awaited(container), ElementsAre());
}

TEST(Awaited, WithoutMappingHasNoSource) {
  struct ByHand {
    Parameter<Weight> w;
  };
  EXPECT_THAT(awaited(container_of<ByHand>()), ElementsAre("w.params from "));
}

}  // namespace
}  // namespace ballast::test
