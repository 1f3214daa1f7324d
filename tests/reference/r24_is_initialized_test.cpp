// R24: initialised is populated and on the current device, else an error that names parameter and device.
#include <gtest/gtest.h>

#include "containers/streaming.hpp"
#include "support/faults.hpp"

namespace ballast::reference {
namespace {

TEST(R24, InitializedIsAlsoOnTheCurrentDeviceElseAnErrorNamingParameterAndDevice) {
  LayerContainer container = test::container_of();
  container.direct_injection("qkv_w", {});
  container.direct_injection("norm", {});
  EXPECT_FALSE(container.is_initialized());
  const Tensor elsewhere = contiguous_tensor(nullptr, DType::F32, {1}, {DeviceKind::cuda, 3});
  container.direct_injection("moe_w", InferenceParameter(elsewhere, {}));
  EXPECT_TRUE(test::fails_with([&] { (void)container.is_initialized(); }, Errc::wrong_device, {"'moe_w'", "cuda:3"}));
  EXPECT_TRUE(test::fails_with(
      [&] {
        (void)container.is_initialized({DeviceKind::cuda, 0});
      },
      Errc::wrong_device, {"'moe_w'", "cuda:0", "cuda:3"}));
  EXPECT_TRUE(container.is_initialized({DeviceKind::cuda, 3}));
}

}  // namespace
}  // namespace ballast::reference
