// R40: a tensor not yet loaded can be told from a loaded one, by type and by query; reading one is an error that names
// it.
#include <gtest/gtest.h>

#include <type_traits>

#include "containers/streaming.hpp"
#include "support/faults.hpp"

namespace ballast::reference {
namespace {

// By type: what a parameter depends on is symbolic and converts to no tensor; only a finished parameter does.
static_assert(!std::is_convertible_v<Dependency, Tensor>);
static_assert(!std::is_convertible_v<Recipe, Tensor>);
static_assert(std::is_convertible_v<Parameter<test::Weight>, const Tensor&>);

TEST(R40, NotYetLoadedCanBeToldByQuery) {
  LayerContainer container = test::container_of();
  const test::Layer layer = container.as<test::Layer>();
  EXPECT_FALSE(layer.norm.is_loaded());
  EXPECT_FALSE(container["norm"].is_finalised());
  test::hand_in(container, "norm.weight", test::stored({1}, {1}));
  EXPECT_TRUE(layer.norm.is_loaded());
  EXPECT_TRUE(container["norm"].is_finalised());
}

TEST(R40, ReadingAParameterThatIsNotLoadedIsAnErrorThatNamesIt) {
  const LayerContainer container = test::container_of();
  const test::Layer layer = container.as<test::Layer>();
  EXPECT_TRUE(test::fails_with([&] { (void)layer.norm->shape; }, Errc::not_loaded, {"transformer_layer_3.norm"}));
  EXPECT_TRUE(
      test::fails_with([&] { (void)container["norm"].tensor(); }, Errc::not_loaded, {"transformer_layer_3.norm"}));
}

}  // namespace
}  // namespace ballast::reference
