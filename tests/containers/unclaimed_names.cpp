// A source name that nothing takes is an error that names the nearest one and changes nothing.
#include <gtest/gtest.h>

#include "containers/streaming.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(UnclaimedName, IsNamedWithTheNearestOne) {
  LayerContainer container = container_of();
  const std::string before = state_of(container);
  EXPECT_TRUE(fails_with([&] { hand_in(container, "attn.w.weight", stored({1}, {1})); }, Errc::name_unclaimed,
                         {"\"attn.w.weight\"", "transformer_layer_3", "nearest:  attn.q.weight"}));
  EXPECT_EQ(state_of(container), before);
}

TEST(UnclaimedName, ThatIsLikeNoOtherGetsNoSuggestion) {
  LayerContainer container = container_of();
  const auto error = error_of([&] { hand_in(container, "something.else.entirely", stored({1}, {1})); });
  ASSERT_TRUE(has_fault(error, Errc::name_unclaimed));
  EXPECT_EQ(error->diagnostics().front().expected, "");
}

TEST(UnclaimedName, IsTakenAsAWhole) {
  LayerContainer container = container_of();
  for (const char* source : {"", "norm", "norm.weight.x", "x.norm.weight", "normXweight", "norm.weight "})
    EXPECT_TRUE(fails_with([&] { hand_in(container, source, stored({1}, {1})); }, Errc::name_unclaimed)) << source;
}

TEST(UnclaimedName, InAContainerFilledByHandIsEveryName) {
  struct ByHand {
    Parameter<Weight> w;
  };
  LayerContainer container = container_of<ByHand>();
  EXPECT_TRUE(fails_with([&] { hand_in(container, "w", stored({1}, {1})); }, Errc::name_unclaimed));
}

struct AnyPath {
  Parameter<Weight> w;
  static constexpr auto param_mapping = mapping<AnyPath>(from("*.w.weight", to<&AnyPath::w, &Weight::params>));
};

TEST(LeadingPath, TakesANameOnce) {
  LayerContainer container = container_of<AnyPath>();
  hand_in(container, "a.b.w.weight", stored({1}, {1}));
  EXPECT_TRUE(container.is_populated());
  EXPECT_TRUE(fails_with([&] { hand_in(container, "c.w.weight", stored({1}, {2})); }, Errc::already_finalised,
                         {"'c.w.weight', after 'a.b.w.weight'"}));
}

}  // namespace
}  // namespace ballast::test
