// R20: a parameter finalises itself when its last dependency arrives, and the container swaps it for the result;
// filling one dependency twice is an error, not an early finalise.
#include <gtest/gtest.h>

#include "containers/streaming.hpp"
#include "support/faults.hpp"

namespace ballast::reference {
namespace {

using test::hand_in;
using test::stored;

TEST(R20, ParameterFinalisesItselfWhenItsLastDependencyArrives) {
  LayerContainer container = test::container_of();
  hand_in(container, "attn.k.weight", stored({1}, {2}));
  EXPECT_FALSE(container["qkv_w"].is_finalised());
  hand_in(container, "attn.q.weight", stored({1}, {1}));
  ASSERT_TRUE(container["qkv_w"].is_finalised());
  EXPECT_EQ(test::values(container["qkv_w"].tensor()), (std::vector<float>{1, 2}));
}

TEST(R20, FillingOneDependencyTwiceIsAnErrorAndNoEarlyFinalise) {
  LayerContainer container = test::container_of();
  hand_in(container, "attn.k.weight", stored({1}, {2}));
  EXPECT_TRUE(test::fails_with([&] { hand_in(container, "attn.k.weight", stored({1}, {3})); }, Errc::already_set));
  EXPECT_FALSE(container["qkv_w"].is_finalised());
}

}  // namespace
}  // namespace ballast::reference
