// B1: for a single, '*' may stand for a leading path, which must match once.
#include <gtest/gtest.h>

#include "mapping/bind_catalog.hpp"

namespace ballast::test {
namespace {

struct LeadingPath : testing::Test {
  const ContainerSchema schema = layer({weight("up")}, {{"*.up.weight", {"up.params"}}});
};

TEST_F(LeadingPath, MatchesPathsOfAnyLength) {
  EXPECT_EQ(bind_names({"mlp.up.weight"}, only(schema)).containers[0].sources[0], 0U);
  EXPECT_EQ(bind_names({"a.b.c.mlp.up.weight"}, only(schema)).containers[0].sources[0], 0U);
}

TEST_F(LeadingPath, NeedsAPathOfWholeSegments) {
  EXPECT_TRUE(has_fault(bind_error({"up.weight"}, only(schema)), Errc::name_unclaimed));
  EXPECT_TRUE(has_fault(bind_error({".up.weight"}, only(schema)), Errc::dependency_missing));
  EXPECT_TRUE(has_fault(bind_error({"mlp.backup.weight"}, only(schema)), Errc::name_unclaimed));
}

TEST_F(LeadingPath, MatchingTwiceNamesBoth) {
  EXPECT_TRUE(has_fault(bind_error({"a.up.weight", "b.up.weight"}, only(schema)), Errc::name_claimed_twice,
                        {"\"b.up.weight\"", "'up.params' is filled by 'a.up.weight' already"}));
}

TEST_F(LeadingPath, WholeNameWinsOverIt) {
  const ContainerSchema both =
      layer({weight("up"), weight("mine")}, {{"*.up.weight", {"up.params"}}, {"mlp.up.weight", {"mine.params"}}});
  EXPECT_EQ(bind_names({"mlp.up.weight", "x.up.weight"}, only(both)).containers[0].sources,
            (std::vector<std::uint32_t>{1, 0}));
}

TEST_F(LeadingPath, MissingIsSaidWithThePattern) {
  EXPECT_TRUE(has_fault(bind_error({}, only(schema)), Errc::dependency_missing, {"\"*.up.weight\""}));
}

}  // namespace
}  // namespace ballast::test
