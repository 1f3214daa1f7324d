// R21: the container counts finalised parameters.
#include <gtest/gtest.h>

#include "containers/streaming.hpp"

namespace ballast::reference {
namespace {

TEST(R21, ContainerCountsFinalisedParameters) {
  LayerContainer container = test::container_of();
  EXPECT_EQ(container.n_finalised(), 0U);
  test::hand_in(container, "attn.q.weight", test::stored({1}, {1}));
  EXPECT_EQ(container.n_finalised(), 0U);
  test::hand_in(container, "attn.k.weight", test::stored({1}, {1}));
  EXPECT_EQ(container.n_finalised(), 1U);
  container.direct_injection("norm", {});
  EXPECT_EQ(container.n_finalised(), 2U);
  test::hand_in(container, "mlp.experts.0.weight", test::stored({1}, {1}));
  test::hand_in(container, "mlp.experts.1.weight", test::stored({1}, {1}));
  EXPECT_EQ(container.n_finalised(), 3U);
}

}  // namespace
}  // namespace ballast::reference
