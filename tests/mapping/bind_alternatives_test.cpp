// Ordered alternatives: of two that are both there the first declared wins, and the other is said to be left out.
#include <gtest/gtest.h>

#include "mapping/bind_catalog.hpp"

namespace ballast::test {
namespace {

struct Alternatives : testing::Test {
  const ContainerSchema schema{
      "layer",
      {weight("norm"), weight("copy")},
      {MappingRule{{"norm.weight", "norm.gamma", "norm.g"}, {{"norm", "params"}, {"copy", "params"}}, {}}}};
  const ContainerMap map = only(schema);
};

TEST_F(Alternatives, AnyOneFills) {
  for (const char* name : {"norm.weight", "norm.gamma", "norm.g"}) {
    const Binding binding = bind_names({name}, map);
    EXPECT_EQ(binding.containers[0].sources, (std::vector<std::uint32_t>{0, 0}));
    EXPECT_TRUE(binding.skipped.empty());
  }
}

TEST_F(Alternatives, FirstDeclaredWinsInWhateverOrderTheyCome) {
  const std::vector<std::string> one{"norm.weight", "norm.gamma"}, other{"norm.gamma", "norm.weight"};
  for (const auto& names : {one, other}) {
    const Binding binding = bind_names(names, map);
    const std::uint32_t winner = names[0] == "norm.weight" ? 0 : 1;
    EXPECT_EQ(binding.containers[0].sources, (std::vector<std::uint32_t>{winner, winner}));
    ASSERT_EQ(binding.skipped.size(), 1U);  // once, though the rule has two targets
    EXPECT_EQ(binding.skipped[0].tensor, 1 - winner);
    EXPECT_EQ(binding.skipped[0].reason, "an alternative of 'norm.weight'");
  }
}

TEST_F(Alternatives, OfThreeTwoAreLeftOut) {
  const Binding binding = bind_names({"norm.g", "norm.gamma", "norm.weight"}, map);
  EXPECT_EQ(binding.containers[0].sources, (std::vector<std::uint32_t>{2, 2}));
  ASSERT_EQ(binding.skipped.size(), 2U);
  EXPECT_EQ(binding.skipped[0].tensor, 0U);
  EXPECT_EQ(binding.skipped[1].tensor, 1U);
}

TEST_F(Alternatives, NoneIsOneMissingWithAllNames) {
  EXPECT_TRUE(has_fault(bind_error({}, map), Errc::dependency_missing,
                        {"\"norm.weight\"", "this name, or 'norm.gamma' or 'norm.g'"}));
}

}  // namespace
}  // namespace ballast::test
