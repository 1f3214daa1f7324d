// S5: a parameter may be given its final value by name; unknown or already done is an error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "containers/streaming.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;

InferenceParameter ready(std::vector<float> values) {
  const Shape shape{values.size()};
  Stored one = stored(shape, std::move(values));
  return {one.tensor, one.owner};
}

TEST(DirectInjection, SetsTheValue) {
  LayerContainer container = container_of();
  container.direct_injection("qkv_w", ready({1, 2}));
  EXPECT_THAT(values(container["qkv_w"].tensor()), ElementsAre(1, 2));
  EXPECT_EQ(container.n_finalised(), 1U);
  EXPECT_EQ(container.as<Layer>().qkv_w->shape, (Shape{2}));
}

TEST(DirectInjection, KeepsTheValueAliveAsLongAsTheContainer) {
  LayerContainer container = container_of();
  InferenceParameter value = ready({1, 2});
  const std::weak_ptr<const void> watched = value.owner();
  container.direct_injection("qkv_w", std::move(value));
  EXPECT_FALSE(watched.expired());
  container = container_of();
  EXPECT_TRUE(watched.expired());
}

TEST(DirectInjection, FillsAContainerWithoutMapping) {
  struct ByHand {
    Parameter<Weight> a;
    Parameter<Experts> b;
  };
  LayerContainer container = container_of<ByHand>(context_of(0));
  EXPECT_EQ(container.n_finalised(), 0U) << "nothing is complete before it is given";
  container.direct_injection("a", ready({1}));
  container.direct_injection("b", {});
  EXPECT_TRUE(container.is_populated());
}

TEST(DirectInjection, OfAnUnknownNameListsTheValidOnes) {
  LayerContainer container = container_of();
  const std::string before = state_of(container);
  EXPECT_TRUE(fails_with([&] { container.direct_injection("qkv_b", ready({1})); }, Errc::unknown_parameter,
                         {"'qkv_b'", "transformer_layer_3", "one of: qkv_w, norm, moe_w"}));
  EXPECT_EQ(state_of(container), before);
}

TEST(DirectInjection, TwiceIsRefused) {
  LayerContainer container = container_of();
  container.direct_injection("norm", ready({1}));
  const std::string before = state_of(container);
  EXPECT_TRUE(fails_with([&] { container.direct_injection("norm", ready({2})); }, Errc::already_finalised,
                         {"'norm'", "transformer_layer_3.norm"}));
  EXPECT_EQ(state_of(container), before);
}

TEST(DirectInjection, AfterFinalisingIsRefused) {
  LayerContainer container = container_of();
  hand_in(container, "norm.weight", stored({1}, {1}));
  const std::string before = state_of(container);
  EXPECT_TRUE(fails_with([&] { container.direct_injection("norm", {}); }, Errc::already_finalised));
  EXPECT_EQ(state_of(container), before);
}

}  // namespace
}  // namespace ballast::test
