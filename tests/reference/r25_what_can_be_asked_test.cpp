// R25: number and names of parameters, mapping and list patterns can be asked, and what is awaited.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "containers/streaming.hpp"

namespace ballast::reference {
namespace {

using testing::ElementsAre;

TEST(R25, NumberNamesMappingAndListPatternsCanBeAsked) {
  const LayerContainer container = test::container_of();
  EXPECT_EQ(container.n_params(), 3U);
  EXPECT_THAT(container.parameter_names(), ElementsAre("qkv_w", "norm", "moe_w"));
  const std::vector<MappingRule>& rules = container.schema().rules();
  ASSERT_EQ(rules.size(), 4U);
  EXPECT_THAT(rules[0].sources, ElementsAre("attn.q.weight"));
  EXPECT_EQ(rules[0].targets[0].parameter, "qkv_w");
  EXPECT_EQ(rules[0].targets[0].dependency, "q_params");
  EXPECT_THAT(container.schema().list_patterns(), ElementsAre("mlp.experts.*.weight"));
}

TEST(R25, SoCanWhatIsAwaited) {
  LayerContainer container = test::container_of(test::context_of(1));
  test::hand_in(container, "attn.q.weight", test::stored({1}, {1}));
  std::vector<std::string> sources;
  for (const Awaited& one : container.awaited()) sources.push_back(one.source);
  EXPECT_THAT(sources, ElementsAre("attn.k.weight", "norm.weight", "mlp.experts.0.weight"));
}

}  // namespace
}  // namespace ballast::reference
