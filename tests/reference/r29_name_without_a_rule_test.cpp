// R29: a name without a rule is an error naming it, with container, layer, file and nearest name.
#include <gtest/gtest.h>

#include "containers/streaming.hpp"
#include "models/tiny_llama.hpp"
#include "support/faults.hpp"

namespace ballast::reference {
namespace {

TEST(R29, NameWithoutARuleIsAnErrorWithContainerLayerFileAndNearestName) {
  const test::TempFolder folder;
  const test::TinyLlama tiny;
  tiny.write(folder);
  const std::string file = folder / "model.safetensors";
  (void)tiny.weights().tensor("model.layers.1.mlp.up_prod.weight", DType::BF16, {64, 32}).write(file);
  EXPECT_TRUE(test::fails_with([&] { (void)load(folder.path()); }, Errc::name_unclaimed,
                               {"\"model.layers.1.mlp.up_prod.weight\"", "transformer_layer_1", file,
                                "nearest:  model.layers.1.mlp.up_proj.weight"}));
}

TEST(R29, AlsoWhenItIsHandedIn) {
  LayerContainer container = test::container_of();
  EXPECT_TRUE(test::fails_with([&] { test::hand_in(container, "norm.wait", test::stored({1}, {1})); },
                               Errc::name_unclaimed,
                               {"\"norm.wait\"", "transformer_layer_3", "nearest:  norm.weight"}));
}

}  // namespace
}  // namespace ballast::reference
