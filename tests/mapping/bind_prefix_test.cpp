// B2: prefixes end at a segment boundary.
#include <gtest/gtest.h>

#include "mapping/bind_catalog.hpp"

namespace ballast::test {
namespace {

struct Prefix : testing::Test {
  const ContainerSchema block = layer({weight("w")}, {{"w", {"w.params"}}});
  const ContainerSchema rest = layer({weight("norm")}, {{"model.layers_norm.0.w", {"norm.params"}}});
  const ContainerMap map = ContainerMap()
                               .optional_root("root")
                               .layers({"model.layers"}, block, 1)
                               .non_transformer(rest)
                               .skip("model.old", "old");
};

TEST_F(Prefix, LayersDoNotTakeLongerNames) {
  const Binding binding = bind_names({"model.layers.0.w", "model.layers_norm.0.w"}, map, context_of(1));
  EXPECT_EQ(binding.containers[0].sources[0], 0U);
  EXPECT_EQ(binding.containers[1].sources[0], 1U);
}

TEST_F(Prefix, LayersDoNotTakeTheBarePrefix) {
  EXPECT_TRUE(has_fault(bind_error({"model.layers", "model.layers.0.w", "model.layers_norm.0.w"}, map, context_of(1)),
                        Errc::name_unclaimed, {"\"model.layers\""}));
}

TEST_F(Prefix, SkipsDoNotTakeLongerNames) {
  const auto error = bind_error(
      {"model.old.x", "model.old", "model.older", "model.layers.0.w", "model.layers_norm.0.w"}, map, context_of(1));
  EXPECT_TRUE(has_fault(error, Errc::name_unclaimed, {"\"model.older\""}));
  EXPECT_EQ(error->total(), 1U);
}

TEST_F(Prefix, RootsAreWholeSegmentsToo) {
  const Binding binding = bind_names({"root.model.layers.0.w", "root.model.layers_norm.0.w"}, map, context_of(1));
  EXPECT_EQ(binding.containers[0].sources[0], 0U);
  EXPECT_TRUE(has_fault(
      bind_error({"rooted.model.layers.0.w", "model.layers.0.w", "model.layers_norm.0.w"}, map, context_of(1)),
      Errc::name_unclaimed, {"rooted"}));
}

}  // namespace
}  // namespace ballast::test
