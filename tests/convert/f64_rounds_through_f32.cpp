#include <gtest/gtest.h>

#include "convert/patterns.hpp"

namespace ballast::test {
namespace {

// PyTorch's casts from F64 to types smaller than F32 round to F32 first; ours must equal them.
TEST(F64, just_above_a_tie_becomes_the_tie_in_f32_and_then_goes_to_even) {
  constexpr std::uint64_t kOne = 0x3FF0'0000'0000'0000;
  constexpr std::uint64_t kTiny = std::uint64_t{1} << 12;  // 2^-40
  const auto just_above_half_of = [](int mantissa) { return kOne + (std::uint64_t{1} << (51 - mantissa)) + kTiny; };
  EXPECT_EQ(convert_patterns(DType::F64, DType::F16, {just_above_half_of(10)}), (Patterns{0x3C00}));
  EXPECT_EQ(convert_patterns(DType::F64, DType::BF16, {just_above_half_of(7)}), (Patterns{0x3F80}));
  EXPECT_EQ(convert_patterns(DType::F64, DType::F8_E4M3, {just_above_half_of(3)}), (Patterns{0x38}));
}

TEST(F64, to_f32_rounds_once) {
  EXPECT_EQ(convert_patterns(DType::F64, DType::F32, {0x3FF0'0000'1000'0000, 0x3FF0'0000'1000'0001}),
            (Patterns{0x3F80'0000, 0x3F80'0001}));
}

}  // namespace
}  // namespace ballast::test
