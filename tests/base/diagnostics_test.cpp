#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ballast/error.hpp"

namespace ballast {
namespace {

Diagnostics some(std::size_t count, const std::string& what) {
  Diagnostics diagnostics;
  for (std::size_t i = 0; i < count; ++i) diagnostics.add({.code = Errc::name_unclaimed, .what = what});
  return diagnostics;
}

TEST(Diagnostics, ThrowsOnlyWhenThereIsSomething) {
  EXPECT_NO_THROW(Diagnostics{}.throw_if_any());
  EXPECT_THROW(some(1, "x").throw_if_any(), Error);
}

TEST(Diagnostics, KeepsAFewAndCountsTheRest) {
  const Diagnostics diagnostics = some(Diagnostics::kMaxKept + 7, "x");
  EXPECT_EQ(diagnostics.kept().size(), Diagnostics::kMaxKept);
  EXPECT_EQ(diagnostics.total(), Diagnostics::kMaxKept + 7);
  const Error error(diagnostics);
  EXPECT_EQ(error.total(), Diagnostics::kMaxKept + 7);
  EXPECT_THAT(error.what(), testing::EndsWith("\n... and 7 more"));
}

TEST(Diagnostics, AppendingCountsWhatTheOtherOnlyCounted) {
  Diagnostics diagnostics = some(Diagnostics::kMaxKept - 1, "mine");
  diagnostics.append(some(Diagnostics::kMaxKept + 5, "theirs"));
  EXPECT_EQ(diagnostics.kept().size(), Diagnostics::kMaxKept);
  EXPECT_EQ(diagnostics.kept().back().what, "theirs");
  EXPECT_EQ(diagnostics.total(), 2 * Diagnostics::kMaxKept + 4);
}

TEST(Diagnostics, AppendsItself) {
  Diagnostics diagnostics = some(3, "x");
  diagnostics.append(diagnostics);
  EXPECT_EQ(diagnostics.kept().size(), 6U);
  EXPECT_EQ(diagnostics.total(), 6U);
}

}  // namespace
}  // namespace ballast
