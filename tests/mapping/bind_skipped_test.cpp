// B4: names skipped on purpose are counted, with reasons.
#include <gtest/gtest.h>

#include "mapping/bind_catalog.hpp"

namespace ballast::test {
namespace {

struct Skipped : testing::Test {
  const ContainerSchema block = layer({weight("w")}, {{"w", {"w.params"}}});
  const ContainerMap map = ContainerMap()
                               .optional_root("root")
                               .layers({"layers"}, block, 2)
                               .skip("layers.*.rotary.inv_freq", "rotary frequencies")
                               .skip("head", "a head for training");
};

TEST_F(Skipped, AreListedWithReasons) {
  const Binding binding = bind_names(
      {"head.w", "layers.0.w", "layers.0.rotary.inv_freq", "layers.1.w", "layers.1.rotary.inv_freq", "head.a.b.c"}, map,
      context_of(2));
  ASSERT_EQ(binding.skipped.size(), 4U);
  EXPECT_EQ(binding.skipped[0].tensor, 0U);
  EXPECT_EQ(binding.skipped[0].reason, "a head for training");
  EXPECT_EQ(binding.skipped[1].tensor, 2U);
  EXPECT_EQ(binding.skipped[1].reason, "rotary frequencies");
  EXPECT_EQ(binding.skipped[3].tensor, 5U);
}

TEST_F(Skipped, AlsoBelowARoot) {
  EXPECT_EQ(bind_names({"root.head.w", "layers.0.w", "layers.1.w"}, map, context_of(2)).skipped.size(), 1U);
}

TEST_F(Skipped, AlsoOfALayerThatTheModelDoesNotHave) {
  EXPECT_EQ(bind_names({"layers.7.rotary.inv_freq", "layers.0.w", "layers.1.w"}, map, context_of(2)).skipped.size(),
            1U);
}

TEST_F(Skipped, StarIsOneSegment) {
  const auto error = bind_error({"layers.0.a.rotary.inv_freq", "layers.0.w", "layers.1.w"}, map, context_of(2));
  EXPECT_TRUE(has_fault(error, Errc::name_unclaimed, {"layers.0.a.rotary.inv_freq"}));
}

}  // namespace
}  // namespace ballast::test
