// S4: a parameter may finalise to nothing (a bias that lives on another rank); it counts as done.
#include <gtest/gtest.h>

#include "containers/streaming.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

struct Bias {
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.tp_rank == 0 ? Recipe(params) : Recipe::nothing(); }
};
struct BiasLayer {
  Parameter<Bias> bias;
  static constexpr auto param_mapping = mapping<BiasLayer>(from("bias", to<&BiasLayer::bias, &Bias::params>));
};

LayerContainer on_rank(std::uint64_t rank) {
  auto context = std::make_shared<ModelContext>();
  context->tp_rank = rank;
  context->tp_size = 2;
  return container_of<BiasLayer>(context);
}

TEST(Nothing, CountsAsDone) {
  LayerContainer container = on_rank(1);
  EXPECT_FALSE(container.is_populated());
  hand_in(container, "bias", stored({2}, {1, 2}));
  EXPECT_TRUE(container["bias"].is_finalised());
  EXPECT_FALSE(container["bias"].value().has_tensor());
  EXPECT_EQ(container.n_finalised(), 1U);
  EXPECT_TRUE(container.is_populated());
  EXPECT_TRUE(container.is_initialized());
  EXPECT_TRUE(container.awaited().empty());
}

TEST(Nothing, IsOnThatRankOnly) {
  LayerContainer container = on_rank(0);
  hand_in(container, "bias", stored({2}, {1, 2}));
  EXPECT_TRUE(container["bias"].value().has_tensor());
}

TEST(Nothing, ReleasesItsSource) {
  LayerContainer container = on_rank(1);
  Stored bias = stored({2}, {1, 2});
  const std::weak_ptr<const void> watched = bias.owner;
  hand_in(container, "bias", std::move(bias));
  EXPECT_TRUE(watched.expired());
}

TEST(Nothing, IsFinalOnce) {
  LayerContainer container = on_rank(1);
  hand_in(container, "bias", stored({2}, {1, 2}));
  EXPECT_TRUE(fails_with([&] { hand_in(container, "bias", stored({2}, {1, 2})); }, Errc::already_finalised));
}

}  // namespace
}  // namespace ballast::test
