// The faults of all ranks come together, before anything is read; what several have alike is said once.
#include <gtest/gtest.h>

#include "models/tiny_llama.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

std::optional<Error> error_of_ranks(const TempFolder& folder, const TinyLlama& tiny, std::uint64_t tp_size) {
  bool has_read = false;
  LoadOptions options = without_reading(has_read);
  options.tp_size = tp_size;
  const auto error = error_of([&] { (void)load_ranks(tiny.write(folder), options); });
  EXPECT_FALSE(has_read);
  return error;
}

std::optional<Error> error_of_ranks(const TinyLlama& tiny, std::uint64_t tp_size) {
  const TempFolder folder;
  return error_of_ranks(folder, tiny, tp_size);
}

TEST(AllRanksFaults, OfAllRanksAreSaidOnceAndNameThem) {
  const auto error = error_of_ranks(TinyLlama(), 5);  // four heads
  EXPECT_TRUE(has_fault(error, Errc::invalid_sharding,
                        {"plan: for all 5 ranks: ", "4 query and 4 key/value heads", "transformer_layer_{0..1}.qkv_w",
                         "any number of ranks from 1 to 4", "5 ranks"}));
  EXPECT_EQ(count_faults(error, Errc::invalid_sharding), 2U);  // qkv and attention output
  EXPECT_EQ(error->total(), 2U);
}

TEST(AllRanksFaults, OfARankCountThatTheDimensionForbids) {
  TinyLlama tiny;
  tiny.inter = 48;
  const auto error = error_of_ranks(tiny, 2);
  EXPECT_TRUE(has_fault(error, Errc::shape_mismatch, {"for all 2 ranks: ", "mlp_1_w", "48"}));
}

TEST(AllRanksFaults, OfTheCheckpointAreThoseOfOneRank) {
  const TempFolder folder;
  TinyLlama tiny;
  tiny.layers = 4;
  const auto one = error_of_ranks(folder, tiny, 1), four = error_of_ranks(folder, tiny, 4);
  ASSERT_TRUE(one && four);
  EXPECT_STREQ(one->what(), four->what());
}

TEST(AllRanksFaults, NoRankAtAll) {
  EXPECT_TRUE(fails_with(
      [] {
        const TempFolder folder;
        LoadOptions options;
        options.tp_size = 0;
        (void)load_ranks(TinyLlama().write(folder), options);
      },
      Errc::invalid_sharding, {"at least one rank"}));
}

Diagnostics diagnostics(std::initializer_list<const char*> sentences) {
  Diagnostics all;
  for (const char* sentence : sentences) all.add({.code = Errc::shape_mismatch, .what = sentence, .operation = "plan"});
  return all;
}

std::vector<std::string> folded(std::vector<Diagnostics> of_ranks) {
  std::vector<std::string> sentences;
  const Diagnostics together = fold_ranks(of_ranks);
  for (const Diagnostic& one : together.kept()) sentences.push_back(one.what);
  return sentences;
}

TEST(AllRanksFaults, NameTheRanksThatHaveThem) {
  EXPECT_EQ(folded({diagnostics({"a", "b"}), diagnostics({"a"}), diagnostics({"a", "b"}), diagnostics({"c", "b"})}),
            (std::vector<std::string>{"for ranks 0..2 of 4: a", "for ranks 0, 2..3 of 4: b", "for rank 3 of 4: c"}));
  EXPECT_EQ(folded({diagnostics({"a", "a"})}), (std::vector<std::string>{"a"}));
  EXPECT_TRUE(folded({{}, {}}).empty());
}

TEST(AllRanksFaults, BeyondThoseKeptAreCounted) {
  Diagnostics many;
  for (std::size_t i = 0; i < Diagnostics::kMaxKept + 5; ++i)
    many.add({.code = Errc::shape_mismatch, .what = std::to_string(i), .operation = "plan"});
  EXPECT_EQ(fold_ranks(std::vector<Diagnostics>{many, many}).total(), Diagnostics::kMaxKept + 5);
}

}  // namespace
}  // namespace ballast::test
