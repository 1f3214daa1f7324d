// R18: lists are filled by index; twice, and an index out of range, are errors that name everything concerned.
#include <gtest/gtest.h>

#include "containers/streaming.hpp"
#include "support/faults.hpp"

namespace ballast::reference {
namespace {

using test::fails_with;
using test::hand_in;
using test::stored;

TEST(R18, ListsAreFilledByIndexAndTheParameterCountsThemOnceTheyAreFull) {
  LayerContainer container = test::container_of(test::context_of(3));
  hand_in(container, "mlp.experts.2.weight", stored({1}, {2}));
  hand_in(container, "mlp.experts.0.weight", stored({1}, {0}));
  EXPECT_FALSE(container["moe_w"].is_finalised());
  hand_in(container, "mlp.experts.1.weight", stored({1}, {1}));
  EXPECT_EQ(test::values(container["moe_w"].tensor()), (std::vector<float>{0, 1, 2}));
}

TEST(R18, FillingAnIndexTwiceNamesContainerParameterListIndexAndBothSources) {
  LayerContainer container = test::container_of();
  hand_in(container, "mlp.experts.1.weight", stored({1}, {2}));
  EXPECT_TRUE(fails_with(
      [&] { hand_in(container, "mlp.experts.1.weight", stored({1}, {2})); }, Errc::already_set,
      {"transformer_layer_3.moe_w.experts", "element 1", "'mlp.experts.1.weight', after 'mlp.experts.1.weight'"}));
}

TEST(R18, NegativeAndOversizedIndicesAreErrors) {
  LayerContainer container = test::container_of();
  for (const char* source : {"mlp.experts.-1.weight", "mlp.experts.2.weight"})
    EXPECT_TRUE(fails_with([&] { hand_in(container, source, stored({1}, {2})); }, Errc::list_index_invalid,
                           {"transformer_layer_3.moe_w.experts", "below 2"}));
}

}  // namespace
}  // namespace ballast::reference
