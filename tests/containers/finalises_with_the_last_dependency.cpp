// S1: a parameter is finalised exactly when its last dependency arrives, once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "containers/streaming.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;

TEST(LastDependency, FinalisesAndNoEarlierOne) {
  LayerContainer container = container_of();
  hand_in(container, "attn.q.weight", stored({1, 2}, {1, 2}));
  EXPECT_FALSE(container["qkv_w"].is_finalised());
  EXPECT_EQ(container.n_finalised(), 0U);
  hand_in(container, "attn.k.weight", stored({1, 2}, {3, 4}));
  EXPECT_TRUE(container["qkv_w"].is_finalised());
  EXPECT_EQ(container.n_finalised(), 1U);
  EXPECT_THAT(values(container["qkv_w"].tensor()), ElementsAre(1, 2, 3, 4));
}

TEST(LastDependency, MayBeAnyOfThem) {
  LayerContainer container = container_of();
  hand_in(container, "attn.k.weight", stored({1, 2}, {3, 4}));
  hand_in(container, "attn.q.weight", stored({1, 2}, {1, 2}));
  EXPECT_THAT(values(container["qkv_w"].tensor()), ElementsAre(1, 2, 3, 4)) << "the recipe says the order";
}

TEST(LastDependency, OfAListMayBeAnyElement) {
  LayerContainer container = container_of(context_of(3));
  hand_in(container, "mlp.experts.2.weight", stored({1}, {2}));
  hand_in(container, "mlp.experts.0.weight", stored({1}, {0}));
  EXPECT_FALSE(container["moe_w"].is_finalised());
  hand_in(container, "mlp.experts.1.weight", stored({1}, {1}));
  EXPECT_EQ(container["moe_w"].tensor().shape, (Shape{3, 1}));
  EXPECT_THAT(values(container["moe_w"].tensor()), ElementsAre(0, 1, 2));
}

int n_calls = 0;
struct Counted {
  Dependency a, b;
  Recipe finalize(const ModelContext&) const {
    ++n_calls;
    return concat(0, a, b);
  }
};
struct CountedLayer {
  Parameter<Counted> w;
  static constexpr auto param_mapping =
      mapping<CountedLayer>(from("a", to<&CountedLayer::w, &Counted::a>), from("b", to<&CountedLayer::w, &Counted::b>));
};

TEST(LastDependency, CallsFinalizeOnce) {
  n_calls = 0;
  LayerContainer container = container_of<CountedLayer>();
  hand_in(container, "a", stored({1}, {1}));
  EXPECT_EQ(n_calls, 0);
  hand_in(container, "b", stored({1}, {2}));
  EXPECT_EQ(n_calls, 1);
  container.finish();
  EXPECT_EQ(n_calls, 1);
}

TEST(LastDependency, ResultIsContiguousAndAligned) {
  LayerContainer container = container_of();
  hand_in(container, "attn.q.weight", counting({3, 5}, 0));
  hand_in(container, "attn.k.weight", counting({1, 5}, 100));
  const Tensor& tensor = container["qkv_w"].tensor();
  EXPECT_EQ(tensor.shape, (Shape{4, 5}));
  EXPECT_TRUE(tensor.is_contiguous());
  EXPECT_EQ(tensor.device, Device());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.data) % 256, 0U);
}

}  // namespace
}  // namespace ballast::test
