// A container's declared form: its members are the parameters, and every access checks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "containers/streaming.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;

struct Scaled {
  Dependency weight, scale;
  Recipe finalize(const ModelContext&) const { return Recipe(weight).with_aux("scale", scale); }
};
struct Access {
  Parameter<Weight> first;
  Parameter<Scaled> scaled;
  Parameter<Weight> last;
  static constexpr auto param_mapping = mapping<Access>(
      from("first", to<&Access::first, &Weight::params>), from("weight", to<&Access::scaled, &Scaled::weight>),
      from("scale", to<&Access::scaled, &Scaled::scale>), from("last", to<&Access::last, &Weight::params>));
};

LayerContainer filled() {
  LayerContainer container = container_of<Access>();
  hand_in(container, "first", stored({1, 2}, {1, 2}));
  hand_in(container, "weight", stored({2}, {3, 4}));
  hand_in(container, "scale", stored({1}, {5}));
  return container;
}

TEST(TypedAccess, AParameterIsItsTensor) {
  const LayerContainer container = filled();
  const Access layer = container.as<Access>();
  const Tensor& first = layer.first;
  EXPECT_EQ(first.data, container["first"].tensor().data);
  EXPECT_EQ(layer.first->shape, (Shape{1, 2}));
  EXPECT_THAT(values(layer.first), ElementsAre(1, 2));
  EXPECT_THAT(values(layer.scaled.tensor()), ElementsAre(3, 4)) << "each member has its own";
}

TEST(TypedAccess, ReachesAuxiliaries) {
  const LayerContainer container = filled();
  const Access layer = container.as<Access>();
  EXPECT_THAT(values(layer.scaled.aux("scale")), ElementsAre(5));
  EXPECT_EQ(layer.scaled.get().aux().size(), 1U);
  EXPECT_TRUE(fails_with([&] { (void)layer.scaled.aux("zero"); }, Errc::not_loaded,
                         {"'scaled'", "'zero'", "transformer_layer_3.scaled"}));
}

TEST(TypedAccess, TellsLoadedFromNotLoaded) {
  LayerContainer container = filled();
  const Access layer = container.as<Access>();
  EXPECT_TRUE(layer.first.is_loaded());
  EXPECT_FALSE(layer.last.is_loaded());
  hand_in(container, "last", stored({1}, {6}));
  EXPECT_TRUE(layer.last.is_loaded()) << "it looks at the container, it is no copy";
  EXPECT_THAT(values(layer.last), ElementsAre(6));
}

TEST(TypedAccess, ReadingWhatIsNotLoadedNamesIt) {
  const LayerContainer container = filled();
  const Access layer = container.as<Access>();
  const auto expect_named = [](auto&& read) {
    EXPECT_TRUE(fails_with(read, Errc::not_loaded, {"'last' is not loaded yet", "transformer_layer_3.last"}));
  };
  expect_named([&] { (void)static_cast<const Tensor&>(layer.last); });
  expect_named([&] { (void)layer.last->shape; });
  expect_named([&] { (void)layer.last.has_tensor(); });
  expect_named([&] { (void)layer.last.get(); });
  expect_named([&] { (void)layer.last.aux("scale"); });
  expect_named([&] { (void)container["last"].value(); });
  expect_named([&] { (void)container["last"].tensor(); });
}

TEST(TypedAccess, ReadingWhatHoldsNothingNamesIt) {
  LayerContainer container = filled();
  container.direct_injection("last", {});
  const Access layer = container.as<Access>();
  EXPECT_TRUE(layer.last.is_loaded());
  EXPECT_FALSE(layer.last.has_tensor());
  EXPECT_TRUE(fails_with([&] { (void)layer.last->shape; }, Errc::not_loaded,
                         {"'last' holds nothing on this rank", "transformer_layer_3.last", "has_tensor()"}));
}

TEST(TypedAccess, OfAContainerThatIsNotAttachedIsAnError) {
  const Access layer;
  EXPECT_FALSE(layer.first.is_loaded());
  EXPECT_TRUE(fails_with([&] { (void)layer.first->shape; }, Errc::not_loaded, {"not attached"}));
  EXPECT_TRUE(fails_with([&] { (void)layer.first.has_tensor(); }, Errc::not_loaded, {"not attached"}));
  EXPECT_TRUE(fails_with([&] { (void)layer.first.aux("scale"); }, Errc::not_loaded, {"not attached"}));
}

TEST(TypedAccess, OfAnotherDeclarationIsAnError) {
  const LayerContainer container = filled();
  EXPECT_TRUE(fails_with([&] { (void)container.as<Layer>(); }, Errc::invalid_argument,
                         {"transformer_layer_3", "expected: Layer", "got:      Access"}));
}

TEST(TypedAccess, StaysValidWhenTheContainerIsMoved) {
  std::vector<LayerContainer> containers;
  containers.push_back(filled());
  const Access layer = containers.front().as<Access>();
  const ParameterState* state = &containers.front()["first"];
  for (int i = 0; i < 100; ++i) containers.push_back(container_of<Access>());
  const LayerContainer moved = std::move(containers.front());
  containers.clear();
  EXPECT_THAT(values(layer.first), ElementsAre(1, 2));
  EXPECT_EQ(&moved["first"], state);
  EXPECT_EQ(state->container_name(), "transformer_layer_3");
}

}  // namespace
}  // namespace ballast::test
