#include <gtest/gtest.h>

#include "convert/patterns.hpp"

namespace ballast::test {
namespace {

// The middle between the largest value and the next one there would be, and the F32 just below that.
Patterns at_and_below(std::uint64_t middle) { return {middle, middle - 1, middle | 0x8000'0000}; }

TEST(Overflow, f16_bf16_and_e5m2_become_infinite_from_half_a_step_above_the_largest) {
  EXPECT_EQ(convert_patterns(DType::F32, DType::F16, at_and_below(0x477F'F000)), (Patterns{0x7C00, 0x7BFF, 0xFC00}));
  EXPECT_EQ(convert_patterns(DType::F32, DType::BF16, at_and_below(0x7F7F'8000)), (Patterns{0x7F80, 0x7F7F, 0xFF80}));
  EXPECT_EQ(convert_patterns(DType::F32, DType::F8_E5M2, at_and_below(0x4770'0000)), (Patterns{0x7C, 0x7B, 0xFC}));
}

TEST(Overflow, e4m3_stays_at_its_largest) {
  // 464, just below, -464; 480; 1e9 and -1e9
  EXPECT_EQ(convert_patterns(DType::F32, DType::F8_E4M3, at_and_below(0x43E8'0000)), (Patterns{0x7E, 0x7E, 0xFE}));
  EXPECT_EQ(convert_patterns(DType::F32, DType::F8_E4M3, {0x43F0'0000, 0x4E6E'6B28, 0xCE6E'6B28}),
            (Patterns{0x7E, 0x7E, 0xFE}));
}

TEST(Overflow, fnuz_types_become_their_only_nan) {
  EXPECT_EQ(convert_patterns(DType::F32, DType::F8_E4M3FNUZ, at_and_below(0x4378'0000)), (Patterns{0x80, 0x7F, 0x80}));
  EXPECT_EQ(convert_patterns(DType::F32, DType::F8_E5M2FNUZ, at_and_below(0x4770'0000)), (Patterns{0x80, 0x7F, 0x80}));
}

TEST(Overflow, e8m0_becomes_nan_from_one_and_a_half_times_its_largest) {
  EXPECT_EQ(convert_patterns(DType::F32, DType::F8_E8M0, at_and_below(0x7F40'0000)), (Patterns{0xFF, 0xFE, 0xFF}));
}

}  // namespace
}  // namespace ballast::test
