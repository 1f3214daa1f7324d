// A tensor that is handed in must be contiguous and in host memory; any other is refused and nothing changes.
#include <gtest/gtest.h>

#include "containers/streaming.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

void expect_unreadable(const Tensor& tensor, std::string_view got) {
  LayerContainer container = container_of();
  const std::string before = state_of(container);
  EXPECT_TRUE(fails_with([&] { container.set_dependency("norm.weight", tensor); }, Errc::invalid_argument,
                         {"\"norm.weight\"", "transformer_layer_3", "a contiguous tensor in host memory", got}));
  EXPECT_EQ(state_of(container), before);
}

TEST(UnreadableTensor, WithGaps) {
  Stored one = counting({2, 2}, 0);
  one.tensor.strides = {1, 2};
  expect_unreadable(one.tensor, "strides [1, 2] on cpu");
}

TEST(UnreadableTensor, WithoutStrides) {
  Stored one = counting({2, 2}, 0);
  one.tensor.strides = {};
  expect_unreadable(one.tensor, "strides [] on cpu");
}

TEST(UnreadableTensor, OnAnotherDevice) {
  Stored one = counting({2}, 0);
  one.tensor.device = {DeviceKind::cuda, 1};
  expect_unreadable(one.tensor, "on cuda:1");
}

TEST(UnreadableTensor, WithoutMemory) {
  expect_unreadable(contiguous_tensor(nullptr, DType::F32, {2}), "a null pointer");
}

TEST(EmptyTensor, NeedsNoMemory) {
  LayerContainer container = container_of();
  container.set_dependency("norm.weight", contiguous_tensor(nullptr, DType::F32, {0, 4}));
  EXPECT_TRUE(container["norm"].value().has_tensor());
  EXPECT_EQ(container["norm"].tensor().shape, (Shape{0, 4}));
}

}  // namespace
}  // namespace ballast::test
