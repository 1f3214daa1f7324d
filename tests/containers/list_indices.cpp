// S2: a list index is decimal, without sign or leading zeros, and below the length of the list.
#include <gtest/gtest.h>

#include "containers/streaming.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

class BadListIndex : public testing::TestWithParam<const char*> {};

TEST_P(BadListIndex, IsNamedAndChangesNothing) {
  LayerContainer container = container_of();
  hand_in(container, "mlp.experts.0.weight", stored({1}, {0}));
  const std::string before = state_of(container);
  const std::string got = std::string("got:      ") + GetParam();
  const auto error =
      error_of([&] { hand_in(container, std::string("mlp.experts.") + GetParam() + ".weight", stored({1}, {1})); });
  EXPECT_TRUE(has_fault(error, Errc::list_index_invalid,
                        {"transformer_layer_3.moe_w.experts", "expected: a decimal index below 2", got}));
  EXPECT_EQ(state_of(container), before);
}

INSTANTIATE_TEST_SUITE_P(All, BadListIndex,
                         testing::Values("2", "-1", "+1", "01", "00", "1x", "x", " 1", "0x1", "1e0", "4294967297",
                                         "18446744073709551616"));

TEST(ListIndex, OutOfRangeIsToldApartFromASecondFilling) {
  LayerContainer container = container_of();
  hand_in(container, "mlp.experts.0.weight", stored({1}, {0}));
  hand_in(container, "mlp.experts.1.weight", stored({1}, {1}));
  EXPECT_TRUE(fails_with([&] { hand_in(container, "mlp.experts.7.weight", stored({1}, {1})); },
                         Errc::list_index_invalid, {"a decimal index below 2", "got:      7"}));
}

TEST(ListIndex, IsOneSegment) {
  LayerContainer container = container_of();
  for (const char* source : {"mlp.experts..weight", "mlp.experts.0.1.weight", "mlp.experts.weight"})
    EXPECT_TRUE(fails_with([&] { hand_in(container, source, stored({1}, {1})); }, Errc::name_unclaimed)) << source;
}

}  // namespace
}  // namespace ballast::test
