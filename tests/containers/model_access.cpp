// A model's containers by number and by declared form.
#include <gtest/gtest.h>

#include "containers/models.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(ModelAccess, ContainersAreTheLayersAndTheRest) {
  const Model model = model_of();
  ASSERT_EQ(model.containers().size(), 3U);
  EXPECT_EQ(model.containers()[0].name(), "transformer_layer_0");
  EXPECT_EQ(model.containers()[2].name(), "non_transformer");
  EXPECT_EQ(&model.layer(1), &model.containers()[1]);
  EXPECT_EQ(&model.non_transformer(), &model.containers()[2]);
  EXPECT_EQ(model.context().n_layers, 2U);
}

TEST(ModelAccess, BeyondTheLayersIsAnError) {
  const Model model = model_of();
  EXPECT_TRUE(fails_with([&] { (void)model.layer(2); }, Errc::invalid_argument, {"below 2", "got:      2"}));
}

TEST(ModelAccess, ToARestThatIsNotThereIsAnError) {
  const Model model(context_of(), ContainerMap().layers({"layers"}, schema_of<Layer>(), 1));
  EXPECT_TRUE(fails_with([&] { (void)model.non_transformer(); }, Errc::invalid_argument));
}

TEST(ModelAccess, ByTheWrongDeclarationIsAnError) {
  const Model model = model_of();
  EXPECT_TRUE(fails_with([&] { (void)model.layer<Rest>(0); }, Errc::invalid_argument, {"Rest", "Layer"}));
  EXPECT_TRUE(fails_with([&] { (void)model.non_transformer<Layer>(); }, Errc::invalid_argument, {"Rest", "Layer"}));
}

TEST(ModelAccess, StaysValidWhenTheModelIsMoved) {
  Model model = model_of();
  hand_in_all(model);
  const Layer layer = model.layer<Layer>(0);
  const Model moved = std::move(model);
  EXPECT_EQ(layer.norm->data, moved.layer(0)["norm"].tensor().data);
}

TEST(ModelAccess, IsPopulatedWhenEveryContainerIs) {
  Model model = model_of();
  hand_in_all(model);
  EXPECT_FALSE(model.is_populated());
  EXPECT_FALSE(model.is_initialized());
  hand_in(model, "head.weight", stored({1}, {1}));
  EXPECT_TRUE(model.is_populated());
  EXPECT_TRUE(model.is_initialized());
  EXPECT_TRUE(fails_with(
      [&] {
        (void)model.is_initialized({DeviceKind::cuda, 0});
      },
      Errc::wrong_device, {"transformer_layer_0.qkv_w"}));
}

}  // namespace
}  // namespace ballast::test
