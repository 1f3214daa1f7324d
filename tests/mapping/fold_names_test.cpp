// Names that differ in numbers only are one line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/bind_catalog.hpp"
#include "mapping/fold.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(FoldNames, NothingAndOne) {
  EXPECT_THAT(fold_names({}), IsEmpty());
  EXPECT_THAT(fold_names({"a.3.b"}), ElementsAre("a.3.b"));
}

TEST(FoldNames, RunsAndGaps) {
  EXPECT_THAT(fold_names({"a.2.w", "a.0.w", "a.1.w"}), ElementsAre("a.{0..2}.w"));
  EXPECT_THAT(fold_names({"a.0.w", "a.1.w"}), ElementsAre("a.{0..1}.w"));
  EXPECT_THAT(fold_names({"a.7.w", "a.0.w", "a.5.w", "a.2.w", "a.6.w"}), ElementsAre("a.{0,2,5..7}.w"));
}

TEST(FoldNames, SeveralPositions) {
  EXPECT_THAT(fold_names({"l.0.e.0", "l.0.e.1", "l.1.e.0", "l.1.e.1"}), ElementsAre("l.{0..1}.e.{0..1}"));
  EXPECT_THAT(fold_names({"l.0.e.0", "l.0.e.1", "l.1.e.0"}), ElementsAre("l.0.e.{0..1}", "l.1.e.0"));
}

TEST(FoldNames, OtherWordsAreOtherLines) {
  EXPECT_THAT(fold_names({"l.0.up", "l.0.down", "l.1.up", "l.1.down"}), ElementsAre("l.{0..1}.down", "l.{0..1}.up"));
}

TEST(FoldNames, OnlyWholeSegmentsThatAreNumbersFold) {
  EXPECT_THAT(fold_names({"a0", "a1"}), ElementsAre("a0", "a1"));
  EXPECT_THAT(fold_names({"a.00", "a.01"}), ElementsAre("a.00", "a.01"));
  EXPECT_THAT(fold_names({"a.-1", "a.+1"}), ElementsAre("a.+1", "a.-1"));
  EXPECT_THAT(fold_names({"a.1234567890", "a.1234567891"}), ElementsAre("a.1234567890", "a.1234567891"));
}

TEST(FoldNames, ZeroIsANumberLikeOthers) {
  EXPECT_THAT(fold_names({"a.0.b.0", "a.1.b.0"}), ElementsAre("a.{0..1}.b.0"));
}

TEST(FoldNames, SortsByNumberNotByText) { EXPECT_THAT(fold_names({"a.10", "a.9", "a.11"}), ElementsAre("a.{9..11}")); }

TEST(FoldNames, AtMostSoManyLines) {
  EXPECT_THAT(fold_names({"a", "b", "c"}, 2), ElementsAre("a", "b"));
  EXPECT_THAT(fold_names({"a", "b"}, 0), IsEmpty());
}

TEST(FoldNames, NamesOfVeryManySegmentsStayWhole) {
  std::string dots;
  for (int i = 0; i < 100; ++i) dots += "0.";
  EXPECT_THAT(fold_names({dots + "1", dots + "2"}), ElementsAre(dots + "1", dots + "2"));
}

TEST(FoldNames, MembersOfEachLine) {
  const std::vector<std::string> names{"b", "a.1", "a.0", "b"};
  const auto folds = mapper::fold(names);
  ASSERT_EQ(folds.size(), 3U);
  EXPECT_EQ(folds[0].line, "a.{0..1}");
  EXPECT_THAT(folds[0].members, ElementsAre(1, 2));
}

TEST(FoldContainers, ByTheNumberAfterTheUnderscore) {
  EXPECT_EQ(mapper::fold_containers({}), "");
  EXPECT_EQ(mapper::fold_containers({"transformer_layer_3"}), "transformer_layer_3");
  EXPECT_EQ(mapper::fold_containers({"transformer_layer_1", "transformer_layer_0", "transformer_layer_1"}),
            "transformer_layer_{0..1}");
  EXPECT_EQ(mapper::fold_containers({"transformer_layer_10", "non_transformer", "transformer_layer_2"}),
            "non_transformer, transformer_layer_{2,10}");
  EXPECT_EQ(mapper::fold_containers({"non_transformer", "non_transformer"}), "non_transformer");
}

}  // namespace
}  // namespace ballast::test
