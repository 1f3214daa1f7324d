#include <gtest/gtest.h>

#include "convert/patterns.hpp"

namespace ballast::test {
namespace {

constexpr std::uint64_t kOneF32 = 0x3F80'0000;

struct Case {
  DType to;
  int shift;          // bits of F32's mantissa that the type does not have
  std::uint64_t one;  // 1.0
};

constexpr Case kCases[] = {
    {DType::F16, 13, 0x3C00},   {DType::BF16, 16, 0x3F80},      {DType::F8_E4M3, 20, 0x38},
    {DType::F8_E5M2, 21, 0x3C}, {DType::F8_E4M3FNUZ, 20, 0x40}, {DType::F8_E5M2FNUZ, 21, 0x40},
};

TEST(TiesToEven, half_a_step_above_an_even_value_goes_down_and_above_an_odd_value_up) {
  for (const auto& [to, shift, one] : kCases) {
    SCOPED_TRACE(name(to));
    const std::uint64_t step = std::uint64_t{1} << shift;
    const std::uint64_t half = step / 2;
    EXPECT_EQ(convert_patterns(DType::F32, to, {kOneF32 + half, kOneF32 + step + half}), (Patterns{one, one + 2}));
  }
}

TEST(TiesToEven, off_a_tie_the_nearer_value_is_taken) {
  for (const auto& [to, shift, one] : kCases) {
    SCOPED_TRACE(name(to));
    const std::uint64_t step = std::uint64_t{1} << shift;
    const std::uint64_t half = step / 2;
    EXPECT_EQ(convert_patterns(DType::F32, to, {kOneF32 + half + 1, kOneF32 + step + half - 1}),
              (Patterns{one + 1, one + 1}));
  }
}

TEST(TiesToEven, subnormal_results_round_the_same_way) {
  // 0.5, 1.5 and 2.5 times 2^-24, the smallest F16.
  EXPECT_EQ(convert_patterns(DType::F32, DType::F16, {0x3300'0000, 0x33C0'0000, 0x3420'0000}), (Patterns{0, 2, 2}));
  // The same of 2^-9, the smallest F8_E4M3.
  EXPECT_EQ(convert_patterns(DType::F32, DType::F8_E4M3, {0x3A80'0000, 0x3B40'0000, 0x3BA0'0000}), (Patterns{0, 2, 2}));
}

TEST(TiesToEven, a_tie_carries_into_the_exponent) {
  EXPECT_EQ(convert_patterns(DType::F32, DType::F16, {0x3FFF'F000}), (Patterns{0x4000}));   // 2 - 2^-11
  EXPECT_EQ(convert_patterns(DType::F32, DType::BF16, {0x3FFF'8000}), (Patterns{0x4000}));  // 2 - 2^-8
}

TEST(TiesToEven, e8m0_rounds_mantissas_of_one_and_a_half_up) {
  // 1.5 is half way between the exponents of 1 and 2; PyTorch takes the greater whichever is even: 1.5, 3, just less.
  EXPECT_EQ(convert_patterns(DType::F32, DType::F8_E8M0, {0x3FC0'0000, 0x4040'0000, 0x3FBF'FFFF}),
            (Patterns{0x80, 0x81, 0x7F}));
}

}  // namespace
}  // namespace ballast::test
