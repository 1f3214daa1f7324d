// R19: lists of different lengths live side by side in one container.
#include <gtest/gtest.h>

#include "containers/streaming.hpp"
#include "support/faults.hpp"

namespace ballast::reference {
namespace {

struct PerLayer {
  DependencyList<&ModelContext::n_layers> entries;
  Recipe finalize(const ModelContext&) const { return stack(entries); }
};
struct TwoLists {
  Parameter<test::Experts> moe_w;
  Parameter<PerLayer> per_layer;
  static constexpr auto param_mapping =
      mapping<TwoLists>(from("experts.*", to<&TwoLists::moe_w, &test::Experts::experts>),
                        from("layers.*", to<&TwoLists::per_layer, &PerLayer::entries>));
};

TEST(R19, ListsOfDifferentLengthsLiveSideBySide) {
  auto context = std::make_shared<ModelContext>();
  context->n_experts = 1;
  context->n_layers = 2;
  LayerContainer container = test::container_of<TwoLists>(context);
  test::hand_in(container, "layers.1", test::stored({1}, {1}));
  test::hand_in(container, "experts.0", test::stored({1}, {7}));
  EXPECT_TRUE(container["moe_w"].is_finalised());
  EXPECT_FALSE(container["per_layer"].is_finalised());
  test::hand_in(container, "layers.0", test::stored({1}, {0}));
  EXPECT_EQ(container["moe_w"].tensor().shape, (Shape{1, 1}));
  EXPECT_EQ(container["per_layer"].tensor().shape, (Shape{2, 1}));
}

}  // namespace
}  // namespace ballast::reference
