// S1: the sources of a parameter are kept until it is finalised, and released then.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "containers/streaming.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;

// Hands a tensor in; what is returned tells whether it is still kept.
std::weak_ptr<const void> watch(LayerContainer& container, std::string_view source, Stored one) {
  std::weak_ptr<const void> watched = one.owner;
  hand_in(container, source, std::move(one));
  return watched;
}

TEST(Sources, AreKeptUntilTheParameterIsFinalised) {
  LayerContainer container = container_of();
  const auto q = watch(container, "attn.q.weight", stored({1}, {1}));
  EXPECT_FALSE(q.expired());
  const auto k = watch(container, "attn.k.weight", stored({1}, {2}));
  EXPECT_TRUE(q.expired());
  EXPECT_TRUE(k.expired());
}

TEST(Sources, OfAListAreReleasedTogether) {
  LayerContainer container = container_of();
  const auto first = watch(container, "mlp.experts.0.weight", stored({1}, {1}));
  EXPECT_FALSE(first.expired());
  const auto second = watch(container, "mlp.experts.1.weight", stored({1}, {2}));
  EXPECT_TRUE(first.expired());
  EXPECT_TRUE(second.expired());
}

TEST(Sources, AreNotLookedAtAfterwards) {
  LayerContainer container = container_of();
  std::vector<float> memory{1, 2};
  container.set_dependency("norm.weight", contiguous_tensor(memory.data(), DType::F32, {2}));
  memory = {8, 9};
  EXPECT_THAT(values(container["norm"].tensor()), ElementsAre(1, 2));
}

TEST(Sources, ThatWereRefusedAreNotKept) {
  LayerContainer container = container_of();
  hand_in(container, "attn.q.weight", stored({1}, {1}));
  std::weak_ptr<const void> refused;
  EXPECT_TRUE(fails_with([&] { refused = watch(container, "attn.q.weight", stored({1}, {2})); }, Errc::already_set));
  Stored one = stored({1}, {2});
  refused = one.owner;
  EXPECT_TRUE(fails_with([&] { hand_in(container, "attn.q.weight", std::move(one)); }, Errc::already_set));
  EXPECT_TRUE(refused.expired());
}

TEST(Sources, OfAParameterThatIsInjectedAreReleased) {
  LayerContainer container = container_of();
  const auto q = watch(container, "attn.q.weight", stored({1}, {1}));
  container.direct_injection("qkv_w", {});
  EXPECT_TRUE(q.expired());
}

struct Two {
  Parameter<Weight> copied;
  Parameter<Fused> fused;
  static constexpr auto param_mapping =
      mapping<Two>(from("x", to<&Two::copied, &Weight::params>, to<&Two::fused, &Fused::q_params>),
                   from("y", to<&Two::fused, &Fused::k_params>));
};

TEST(Sources, OfATargetThatIsCompleteAreReleasedWhileAnotherStillWaits) {
  LayerContainer container = container_of<Two>();
  const auto x = watch(container, "x", stored({1}, {1}));
  EXPECT_TRUE(container["copied"].is_finalised());
  EXPECT_FALSE(x.expired()) << "the other parameter still needs it";
  hand_in(container, "y", stored({1}, {2}));
  EXPECT_TRUE(x.expired());
}

TEST(Sources, GoWithTheirContainer) {
  std::weak_ptr<const void> q;
  {
    LayerContainer container = container_of();
    q = watch(container, "attn.q.weight", stored({1}, {1}));
  }
  EXPECT_TRUE(q.expired());
}

TEST(Results, OutliveTheirContainerWithTheirOwner) {
  InferenceParameter kept;
  {
    LayerContainer container = container_of();
    hand_in(container, "norm.weight", stored({2}, {1, 2}));
    kept = container["norm"].value();
  }
  EXPECT_THAT(values(kept.tensor()), ElementsAre(1, 2));
}

}  // namespace
}  // namespace ballast::test
