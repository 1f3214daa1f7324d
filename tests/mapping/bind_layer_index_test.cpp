// B6: a layer index outside the model is an error.
#include <gtest/gtest.h>

#include "mapping/bind_catalog.hpp"

namespace ballast::test {
namespace {

struct LayerIndex : testing::Test {
  const ContainerSchema block = layer({weight("w")}, {{"w", {"w.params"}}});
  const ContainerMap map = ContainerMap().layers({"layers"}, block, 2).skip("layers.2.mtp", "multi-token prediction");
  std::optional<Error> with(const std::string& name) const {
    return bind_error({"layers.0.w", "layers.1.w", name}, map, context_of(2));
  }
};

TEST_F(LayerIndex, BeyondTheLast) {
  EXPECT_TRUE(has_fault(with("layers.2.w"), Errc::layer_index_out_of_range,
                        {"a tensor belongs to a layer that the model does not have", "\"layers.2.w\"",
                         "a layer number below 2", "a config.json of another model"}));
}

TEST_F(LayerIndex, OtherForms) {
  for (const char* index : {"-1", "+0", "00", "01", "x", "", "1000000000", "99999999999999999999"})
    EXPECT_TRUE(has_fault(with(std::string("layers.") + index + ".w"), Errc::layer_index_out_of_range)) << index;
}

TEST_F(LayerIndex, WithNothingBehindIt) {
  EXPECT_TRUE(has_fault(with("layers.0"), Errc::layer_index_out_of_range, {"\"layers.0\""}));
}

TEST_F(LayerIndex, IsFoldedOverLayers) {
  EXPECT_TRUE(
      has_fault(bind_error({"layers.0.w", "layers.1.w", "layers.2.w", "layers.3.w", "layers.4.w"}, map, context_of(2)),
                Errc::layer_index_out_of_range, {"3 tensors belong", "layers.{2..4}.w"}));
}

TEST_F(LayerIndex, OfManyNamesIsOneLineForWholeLayers) {
  const auto error = bind_error({"layers.0.w", "layers.1.w", "layers.2.w", "layers.2.up", "layers.3.w", "layers.3.up"},
                                map, context_of(2));
  EXPECT_TRUE(has_fault(error, Errc::layer_index_out_of_range,
                        {"4 tensors belong", "\"layers.{2..3}.*\"", "names of 2 forms, such as 'layers.2.w'"}));
  EXPECT_EQ(error->total(), 1U);
}

TEST_F(LayerIndex, UnlessThePolicySaysWhatItIs) {
  EXPECT_EQ(bind_names({"layers.0.w", "layers.1.w", "layers.2.mtp.head"}, map, context_of(2)).skipped[0].reason,
            "multi-token prediction");
}

TEST_F(LayerIndex, IsCountedWithinItsGroup) {
  const ContainerMap two = ContainerMap().layers({"encoder"}, block, 2).layers({"decoder"}, block, 1);
  const Binding binding = bind_names({"decoder.0.w", "encoder.1.w", "encoder.0.w"}, two, context_of(3));
  EXPECT_EQ(binding.containers[2].name, "transformer_layer_2");
  EXPECT_EQ(binding.containers[2].sources[0], 0U);
  EXPECT_TRUE(has_fault(bind_error({"decoder.0.w", "encoder.1.w", "encoder.0.w", "decoder.1.w"}, two, context_of(3)),
                        Errc::layer_index_out_of_range, {"decoder.1.w", "a layer number below 1"}));
}

}  // namespace
}  // namespace ballast::test
