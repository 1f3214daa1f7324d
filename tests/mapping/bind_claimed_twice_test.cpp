// B3: what is claimed twice is an error that names both.
#include <gtest/gtest.h>

#include "mapping/bind_catalog.hpp"

namespace ballast::test {
namespace {

struct ClaimedTwice : testing::Test {
  const ContainerSchema block = layer({weight("w")}, {{"x", {"w.params"}}});
};

TEST_F(ClaimedTwice, ByAlternativePrefixes) {
  const ContainerMap map = ContainerMap().layers({"model.layers", "blk"}, block, 1);
  const auto error = bind_error({"model.layers.0.x", "blk.0.x"}, map, context_of(1));
  EXPECT_TRUE(has_fault(error, Errc::name_claimed_twice,
                        {"claimed twice", "\"blk.0.x\"", "transformer_layer_0.w.params",
                         "'w.params' is filled by 'model.layers.0.x' already"}));
  EXPECT_EQ(error->total(), 1U);
}

TEST_F(ClaimedTwice, WithAndWithoutTheOptionalRoot) {
  const ContainerMap map = ContainerMap().optional_root("bert").layers({"layer"}, block, 1);
  EXPECT_TRUE(has_fault(bind_error({"bert.layer.0.x", "layer.0.x"}, map, context_of(1)), Errc::name_claimed_twice,
                        {"\"layer.0.x\"", "'bert.layer.0.x'"}));
}

TEST_F(ClaimedTwice, ListElements) {
  const ContainerSchema list = layer({experts("moe")}, {{"experts.*.w", {"moe.experts"}}});
  const ContainerMap map = ContainerMap().optional_root("model").non_transformer(list);
  EXPECT_TRUE(has_fault(bind_error({"experts.0.w", "model.experts.0.w"}, map, context_of(0, 1)),
                        Errc::name_claimed_twice, {"\"model.experts.0.w\"", "'experts.0.w'"}));
}

// Names that two patterns would claim cannot reach a binding: the patterns are refused when they are declared.
TEST_F(ClaimedTwice, PatternsThatCouldAreNoDefinition) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)layer({weight("a"), weight("b")}, {{"*.w", {"a.params"}}, {"*.up.w", {"b.params"}}});
      },
      Errc::ambiguous_patterns, {"*.w", "*.up.w"}));
}

}  // namespace
}  // namespace ballast::test
