// B1: '*' of a list is a decimal index without sign or leading zeros, in range, each exactly once.
#include <gtest/gtest.h>

#include <algorithm>

#include "mapping/bind_catalog.hpp"

namespace ballast::test {
namespace {

struct ListIndex : testing::Test {
  const ContainerSchema schema = layer({experts("moe")}, {{"experts.*.w", {"moe.experts"}}});
  const ModelContext context = context_of(0, 12);
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (int i = 0; i < 12; ++i) all.push_back("experts." + std::to_string(i) + ".w");
    return all;
  }
};

TEST_F(ListIndex, EachGoesToItsPlaceInWhateverOrder) {
  std::vector<std::string> reversed = names();
  std::reverse(reversed.begin(), reversed.end());
  const Binding binding = bind_names(reversed, only(schema), context);
  EXPECT_EQ(binding.containers[0].sources, (std::vector<std::uint32_t>{11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}));
}

TEST_F(ListIndex, OtherFormsAreRefused) {
  for (const char* index : {"-1", "+1", "00", "01", "0x1", "1e0", " 1", "1 ", "a", "-", "12", "4294967296",
                            "18446744073709551616", "\xD9\xA1"}) {  // the last is a digit of another script
    std::vector<std::string> all = names();
    all.push_back(std::string("experts.") + index + ".w");
    const auto error = bind_error(all, only(schema), context);
    EXPECT_TRUE(has_fault(error, Errc::list_index_invalid,
                          {"no valid index into its list", "non_transformer.moe.experts", "a decimal index below 12"}))
        << index;
    EXPECT_EQ(error->total(), 1U);
  }
}

TEST_F(ListIndex, EmptySegmentIsNoIndex) {
  std::vector<std::string> all = names();
  all.push_back("experts..w");
  EXPECT_TRUE(has_fault(bind_error(all, only(schema), context), Errc::name_unclaimed, {"experts..w"}));
}

TEST_F(ListIndex, StarIsOneSegment) {
  std::vector<std::string> all = names();
  all.push_back("experts.0.1.w");
  EXPECT_TRUE(has_fault(bind_error(all, only(schema), context), Errc::name_unclaimed, {"experts.0.1.w"}));
}

TEST_F(ListIndex, OneThatIsLeftOutIsMissing) {
  std::vector<std::string> all = names();
  all.erase(all.begin() + 7);
  EXPECT_TRUE(has_fault(bind_error(all, only(schema), context), Errc::dependency_missing, {"\"experts.7.w\""}));
}

TEST_F(ListIndex, ListOfLengthZeroNeedsNothing) {
  EXPECT_TRUE(bind_names({}, only(schema), context_of(0, 0)).containers[0].sources.empty());
  EXPECT_TRUE(has_fault(bind_error({"experts.0.w"}, only(schema), context_of(0, 0)), Errc::list_index_invalid,
                        {"a decimal index below 0"}));
}

TEST_F(ListIndex, LengthThatTheContextDoesNotKnowIsNamed) {
  const ContainerSchema odd =
      layer({parameter("moe", {list("experts", "n_wizards")})}, {{"experts.*.w", {"moe.experts"}}});
  EXPECT_TRUE(has_fault(bind_error({}, only(odd), context), Errc::unknown_list_length, {"n_wizards"}));
}

}  // namespace
}  // namespace ballast::test
