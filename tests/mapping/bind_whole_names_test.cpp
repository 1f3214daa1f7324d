// B1: patterns match whole names, and dots are literal.
#include <gtest/gtest.h>

#include "mapping/bind_catalog.hpp"

namespace ballast::test {
namespace {

struct WholeNames : testing::Test {
  const ContainerSchema schema = layer({weight("up")}, {{"mlp.up.weight", {"up.params"}}});
};

TEST_F(WholeNames, Match) {
  const Binding binding = bind_names({"mlp.up.weight"}, only(schema));
  ASSERT_EQ(binding.containers.size(), 1U);
  EXPECT_EQ(binding.containers[0].name, "non_transformer");
  EXPECT_EQ(binding.containers[0].sources, std::vector<std::uint32_t>{0});
}

TEST_F(WholeNames, PartsDoNot) {
  for (const char* name : {"up.weight", "mlp.up.weight.0", "mlp.up", "x.mlp.up.weight", "mlp.up.weights", ""})
    EXPECT_TRUE(has_fault(bind_error({name, "mlp.up.weight"}, only(schema)), Errc::name_unclaimed)) << name;
}

TEST_F(WholeNames, DotIsNoWildcard) {
  EXPECT_TRUE(
      has_fault(bind_error({"mlp_up.weight", "mlp.up.weight"}, only(schema)), Errc::name_unclaimed, {"mlp_up.weight"}));
}

TEST_F(WholeNames, CaseCounts) {
  EXPECT_TRUE(has_fault(bind_error({"MLP.up.weight", "mlp.up.weight"}, only(schema)), Errc::name_unclaimed));
}

TEST_F(WholeNames, DotInAListPatternIsLiteralToo) {
  const ContainerSchema list = layer({experts("moe")}, {{"experts.*.w", {"moe.experts"}}});
  EXPECT_TRUE(has_fault(bind_error({"experts.0.w", "experts_0.w"}, only(list), context_of(0, 1)), Errc::name_unclaimed,
                        {"experts_0.w"}));
}

}  // namespace
}  // namespace ballast::test
