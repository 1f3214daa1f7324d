#include <gtest/gtest.h>

#include "convert/patterns.hpp"

namespace ballast::test {
namespace {

TEST(NanAndInfinity, nan_stays_nan_with_its_sign_where_both_types_have_one) {
  for (const DType from : kFloats) {
    for (const DType to : kFloats) {
      SCOPED_TRACE(testing::Message() << name(from) << " to " << name(to));
      const auto source = nan_patterns(from);
      const auto target = nan_patterns(to);
      const auto results = convert_patterns(from, to, {source.nan, source.nan | source.sign});
      ASSERT_EQ(results.size(), 2U);
      EXPECT_TRUE(is_nan(to, results[0]));
      EXPECT_TRUE(is_nan(to, results[1]));
      if (source.sign != 0) {
        EXPECT_EQ(results[0] & target.sign, 0U);
        EXPECT_EQ(results[1] & target.sign, target.sign);
      }
    }
  }
}

TEST(NanAndInfinity, every_nan_pattern_of_f16_and_bf16_stays_nan) {
  for (const DType from : {DType::F16, DType::BF16}) {
    const auto infinity = nan_patterns(from).infinity;
    Patterns nans;
    for (auto pattern = infinity + 1; pattern != 0x8000; ++pattern) {
      nans.push_back(pattern);
      nans.push_back(pattern | 0x8000);
    }
    for (const DType to : kFloats) {
      SCOPED_TRACE(testing::Message() << name(from) << " to " << name(to));
      for (const auto result : convert_patterns(from, to, nans)) ASSERT_TRUE(is_nan(to, result)) << std::hex << result;
    }
  }
}

// Truncating these to the bits that remain would leave an infinity.
TEST(NanAndInfinity, a_signalling_nan_with_low_payload_becomes_a_quiet_one) {
  EXPECT_EQ(convert_patterns(DType::F32, DType::F16, {0x7F80'0001, 0xFF80'0001}), (Patterns{0x7E00, 0xFE00}));
  EXPECT_EQ(convert_patterns(DType::F32, DType::BF16, {0x7F80'0001, 0xFF80'0001}), (Patterns{0x7FC0, 0xFFC0}));
  EXPECT_EQ(convert_patterns(DType::F64, DType::F32, {0x7FF0'0000'0000'0001}), (Patterns{0x7FC0'0000}));
  EXPECT_EQ(convert_patterns(DType::F16, DType::F32, {0x7C01}), (Patterns{0x7FC0'2000}));
  EXPECT_EQ(convert_patterns(DType::BF16, DType::F32, {0x7F81}), (Patterns{0x7FC1'0000}));
}

TEST(NanAndInfinity, the_payload_is_kept_where_it_fits) {
  EXPECT_EQ(convert_patterns(DType::F16, DType::F32, {0x7E2A}), (Patterns{0x7FC5'4000}));
  EXPECT_EQ(convert_patterns(DType::F32, DType::F16, {0x7FC5'4000}), (Patterns{0x7E2A}));
  EXPECT_EQ(convert_patterns(DType::F32, DType::BF16, {0xFFC5'4000}), (Patterns{0xFFC5}));
}

TEST(NanAndInfinity, infinity_stays_infinity_between_types_that_have_it) {
  for (const DType from : kFloats) {
    for (const DType to : kFloats) {
      const auto source = nan_patterns(from);
      const auto target = nan_patterns(to);
      if (source.infinity == 0 || target.infinity == 0) continue;
      SCOPED_TRACE(testing::Message() << name(from) << " to " << name(to));
      EXPECT_EQ(convert_patterns(from, to, {source.infinity, source.infinity | source.sign}),
                (Patterns{target.infinity, target.infinity | target.sign}));
    }
  }
}

TEST(NanAndInfinity, types_without_infinity_take_what_torch_gives) {
  const Patterns infinities{0x7F80'0000, 0xFF80'0000};
  EXPECT_EQ(convert_patterns(DType::F32, DType::F8_E4M3, infinities), (Patterns{0x7E, 0xFE}));  // 448 and -448
  EXPECT_EQ(convert_patterns(DType::F32, DType::F8_E8M0, infinities), (Patterns{0xFF, 0xFF}));  // NaN, as below
  EXPECT_EQ(convert_patterns(DType::F32, DType::F8_E4M3FNUZ, infinities), (Patterns{0x80, 0x80}));
  EXPECT_EQ(convert_patterns(DType::F32, DType::F8_E5M2FNUZ, infinities), (Patterns{0x80, 0x80}));
}

}  // namespace
}  // namespace ballast::test
