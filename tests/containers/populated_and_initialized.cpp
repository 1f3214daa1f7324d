// S7: populated is all parameters done, wherever they lie; initialised is also on the device.
#include <gtest/gtest.h>

#include "containers/streaming.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

constexpr Device kCuda{DeviceKind::cuda, 1};

// The device is only a label here: nothing looks at the memory.
InferenceParameter on(Device device) { return {contiguous_tensor(nullptr, DType::F32, {2}, device), {}}; }

LayerContainer all_injected(InferenceParameter last) {
  LayerContainer container = container_of();
  container.direct_injection("qkv_w", on({}));
  container.direct_injection("moe_w", {});
  EXPECT_FALSE(container.is_populated());
  EXPECT_FALSE(container.is_initialized());
  container.direct_injection("norm", std::move(last));
  return container;
}

TEST(Initialized, OnTheHost) {
  const LayerContainer container = all_injected(on({}));
  EXPECT_TRUE(container.is_populated());
  EXPECT_TRUE(container.is_initialized());
}

TEST(Initialized, NamesTheParameterOnAnotherDevice) {
  const LayerContainer container = all_injected(on(kCuda));
  EXPECT_TRUE(container.is_populated()) << "populated is so wherever it lies";
  EXPECT_TRUE(fails_with([&] { (void)container.is_initialized(); }, Errc::wrong_device,
                         {"'norm'", "transformer_layer_3.norm", "expected: cpu", "got:      cuda:1"}));
}

TEST(Initialized, NamesTheAuxiliaryOnAnotherDevice) {
  InferenceParameter value = on({});
  value.add_aux("scales", on(kCuda).tensor());
  const LayerContainer container = all_injected(std::move(value));
  EXPECT_TRUE(fails_with([&] { (void)container.is_initialized(); }, Errc::wrong_device,
                         {"'norm' (scales)", "transformer_layer_3.norm", "expected: cpu", "got:      cuda:1"}));
}

TEST(Initialized, OnTheDeviceThatIsAskedFor) {
  LayerContainer container = container_of();
  for (const std::string& name : container.parameter_names()) container.direct_injection(name, on(kCuda));
  EXPECT_TRUE(container.is_initialized(kCuda));
  EXPECT_TRUE(fails_with(
      [&] {
        (void)container.is_initialized({DeviceKind::cuda, 0});
      },
      Errc::wrong_device, {"expected: cuda:0", "got:      cuda:1"}));
}

TEST(Initialized, IsFalseBeforeItIsPopulatedWhateverTheDevice) {
  LayerContainer container = container_of();
  container.direct_injection("norm", on(kCuda));
  EXPECT_FALSE(container.is_initialized());
}

TEST(Initialized, AnEmptyContainerIs) {
  struct None {};
  const LayerContainer container = container_of<None>();
  EXPECT_TRUE(container.is_populated());
  EXPECT_TRUE(container.is_initialized());
}

}  // namespace
}  // namespace ballast::test
