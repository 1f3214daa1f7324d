// R23: populated is every parameter finalised, wherever it lies. That a value is a tensor or nothing is its type here.
#include <gtest/gtest.h>

#include <type_traits>

#include "containers/streaming.hpp"

namespace ballast::reference {
namespace {

TEST(R23, PopulatedIsEveryParameterFinalisedWhereverItLies) {
  LayerContainer container = test::container_of();
  EXPECT_FALSE(container.is_populated());
  const Tensor elsewhere = contiguous_tensor(nullptr, DType::F32, {1}, {DeviceKind::cuda, 3});
  container.direct_injection("qkv_w", InferenceParameter(elsewhere, {}));
  container.direct_injection("norm", {});
  EXPECT_FALSE(container.is_populated());
  container.direct_injection("moe_w", {});
  EXPECT_TRUE(container.is_populated());
}

template <class Value>
concept Injectable = requires(LayerContainer container, Value value) {
  container.direct_injection("norm", value);
};
static_assert(Injectable<InferenceParameter>);
static_assert(!Injectable<int> && !Injectable<const char*> && !Injectable<Tensor>);

}  // namespace
}  // namespace ballast::reference
