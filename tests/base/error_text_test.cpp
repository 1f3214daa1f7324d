#include <gtest/gtest.h>

#include <cstring>

#include "ballast/error.hpp"

namespace ballast {
namespace {

TEST(ErrorText, SaysWhatAndWhereThenTheDetails) {
  const Diagnostic diagnostic{.code = Errc::extent_overlap,
                              .what = "the tensor overlaps the one before it",
                              .operation = "read header",
                              .tensor = "model.norm.weight",
                              .file = "/models/m.safetensors",
                              .expected = "to begin at byte 8",
                              .got = "bytes [4, 12)",
                              .cause = "a damaged file?",
                              .offset = 128};
  EXPECT_EQ(to_string(diagnostic),
            "read header: the tensor overlaps the one before it: tensor \"model.norm.weight\" in "
            "/models/m.safetensors at byte 128\n"
            "  expected: to begin at byte 8\n"
            "  got:      bytes [4, 12)\n"
            "  cause:    a damaged file?");
}

TEST(ErrorText, LeavesOutWhatDoesNotApply) {
  EXPECT_EQ(to_string(Diagnostic{.code = Errc::cancelled, .what = "cancelled"}), "cancelled");
  EXPECT_EQ(to_string(Diagnostic{.code = Errc::cancelled}), "cancelled") << "the code, where there is no sentence";
  EXPECT_EQ(to_string(Diagnostic{.what = "nothing fills it",
                                 .container = "transformer_layer_3",
                                 .parameter = "qkv_w",
                                 .dependency = "k_params"}),
            "nothing fills it: transformer_layer_3.qkv_w.k_params");
  EXPECT_EQ(to_string(Diagnostic{.what = "twice", .parameter = "qkv_w", .tensor = "a", .file = "f"}),
            "twice: tensor \"a\" for qkv_w in f");
}

TEST(ErrorText, QuotesEachOfSeveralTensors) {
  EXPECT_EQ(to_string(Diagnostic{.what = "unlike", .tensor = "q.{0,2}.w, k.w"}),
            "unlike: tensors \"q.{0,2}.w\", \"k.w\"");
}

TEST(ErrorText, NamesTheNearestBeforeTheCause) {
  EXPECT_EQ(to_string(Diagnostic{.what = "unknown", .tensor = "wieght", .nearest = "weight", .cause = "a slip"}),
            "unknown: tensor \"wieght\"\n"
            "  nearest:  weight\n"
            "  cause:    a slip");
}

TEST(ErrorText, ANameCannotForgeALineOrTouchTheTerminal) {
  const std::string text = to_string(
      Diagnostic{.what = "bad", .tensor = "x\n  cause:    all is well\x1B[1A", .file = "f\x1B[2J", .got = "a\nb"});
  EXPECT_EQ(text,
            "bad: tensor \"x\\n  cause:    all is well\\x1B[1A\" in f\\x1B[2J\n"
            "  got:      a\n"
            "            b");
}

TEST(ErrorText, EveryCodeHasAName) {
  EXPECT_EQ(name(Errc::io_open), "io_open");
  EXPECT_EQ(name(Errc::extent_misaligned), "extent_misaligned");
  EXPECT_EQ(name(Errc::invalid_argument), "invalid_argument");
  for (unsigned code = 0; code <= static_cast<unsigned>(Errc::invalid_argument); ++code)
    EXPECT_NE(name(static_cast<Errc>(code)), "unknown") << code;
}

TEST(Error, FaultsCountWhatIsNotKept) {
  Diagnostics many;
  for (std::size_t i = 0; i < Diagnostics::kMaxKept + 5; ++i) many.add({.code = Errc::extent_hole});
  Diagnostics later;
  later.append(Error(many).faults());
  EXPECT_EQ(later.total(), Diagnostics::kMaxKept + 5);
}

TEST(Error, NamesThePlaceWithinAFile) {
  EXPECT_EQ(
      to_string(Diagnostic{.code = Errc::schema_invalid, .what = "no", .file = "a.json", .place = "b[3], line 4"}),
      "no: a.json, b[3], line 4");
}

TEST(Error, CarriesTheFirstCodeAndEveryDiagnostic) {
  Diagnostics diagnostics;
  diagnostics.add({.code = Errc::extent_hole, .what = "first"});
  diagnostics.add({.code = Errc::unknown_dtype, .what = "second"});
  const Error error(diagnostics);
  EXPECT_EQ(error.code(), Errc::extent_hole);
  EXPECT_EQ(error.diagnostics().size(), 2U);
  EXPECT_STREQ(error.what(), "first\nsecond");
}

TEST(Error, CopiesShareTheirText) {
  const Error error(Diagnostic{.code = Errc::io_read, .what = "no"});
  const Error copy = error;
  EXPECT_EQ(copy.what(), error.what());
  static_assert(std::is_nothrow_copy_constructible_v<Error>);
}

TEST(Error, IsNeverWithoutACode) {
  const Error error{Diagnostics{}};
  EXPECT_EQ(error.code(), Errc::invalid_argument);
  EXPECT_GT(std::strlen(error.what()), 0U);
}

}  // namespace
}  // namespace ballast
