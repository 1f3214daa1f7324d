// A tensor handed to a model goes to its layer or to the rest, is skipped on purpose, or is an error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "containers/models.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;

TEST(ModelRouting, ToALayer) {
  Model model = model_of();
  EXPECT_TRUE(hand_in(model, "layers.1.norm.weight", stored({1}, {1})));
  EXPECT_FALSE(model.layer(0)["norm"].is_finalised());
  EXPECT_THAT(values(model.layer(1)["norm"].tensor()), ElementsAre(1));
}

TEST(ModelRouting, ToTheRestByFullName) {
  Model model = model_of();
  EXPECT_TRUE(hand_in(model, "embed.weight", stored({1}, {1})));
  EXPECT_TRUE(model.non_transformer()["word_emb"].is_finalised());
}

TEST(ModelRouting, WithAndWithoutTheOptionalRoot) {
  Model model = model_of();
  EXPECT_TRUE(hand_in(model, "root.embed.weight", stored({1}, {1})));
  EXPECT_TRUE(hand_in(model, "root.layers.0.norm.weight", stored({1}, {1})));
  EXPECT_TRUE(hand_in(model, "layers.1.norm.weight", stored({1}, {1})));
  EXPECT_TRUE(model.layer(0)["norm"].is_finalised());
  EXPECT_TRUE(model.layer(1)["norm"].is_finalised());
}

TEST(ModelRouting, SkipsOnPurpose) {
  Model model = model_of();
  const std::string before = state_of(model);
  EXPECT_FALSE(hand_in(model, "rotary.inv_freq", stored({1}, {1})));
  EXPECT_EQ(state_of(model), before);
}

TEST(ModelRouting, ToALayerThatIsNotThereIsAnError) {
  Model model = model_of();
  const std::string before = state_of(model);
  for (const char* index : {"2", "-1", "01", "x"})
    EXPECT_TRUE(fails_with(
        [&] { hand_in(model, fmt::format("layers.{}.norm.weight", index), stored({1}, {1})); },
        Errc::layer_index_out_of_range,
        {fmt::format("layers.{}.norm.weight", index), "a layer number below 2", fmt::format("got:      {}", index)}));
  EXPECT_EQ(state_of(model), before);
}

TEST(ModelRouting, OfAnUnknownNameIsAnErrorWithTheNearest) {
  Model model = model_of();
  const std::string before = state_of(model);
  EXPECT_TRUE(fails_with([&] { hand_in(model, "layers.1.norm.wait", stored({1}, {1})); }, Errc::name_unclaimed,
                         {"transformer_layer_1", "nearest:  norm.weight"}));
  EXPECT_TRUE(fails_with([&] { hand_in(model, "embed.wait", stored({1}, {1})); }, Errc::name_unclaimed,
                         {"non_transformer", "nearest:  embed.weight"}));
  EXPECT_EQ(state_of(model), before);
}

TEST(ModelRouting, WithoutARestIsAnErrorForAllThatIsNoLayer) {
  Model model(context_of(), ContainerMap().layers({"layers"}, schema_of<Layer>(), 1));
  EXPECT_TRUE(fails_with([&] { hand_in(model, "embed.weight", stored({1}, {1})); }, Errc::name_unclaimed,
                         {"\"embed.weight\"", "nothing in the model"}));
}

TEST(ModelRouting, NumbersLayersOfSeveralGroupsOn) {
  Model model(
      context_of(),
      ContainerMap().layers({"encoder", "enc"}, schema_of<Layer>(), 1).layers({"decoder"}, schema_of<Layer>(), 1));
  EXPECT_EQ(model.n_layers(), 2U);
  hand_in(model, "decoder.0.norm.weight", stored({1}, {1}));
  hand_in(model, "enc.0.norm.weight", stored({1}, {0}));
  EXPECT_THAT(values(model.layer<Layer>(0).norm), ElementsAre(0));
  EXPECT_THAT(values(model.layer<Layer>(1).norm), ElementsAre(1));
  EXPECT_EQ(model.layer(1).name(), "transformer_layer_1");
}

}  // namespace
}  // namespace ballast::test
