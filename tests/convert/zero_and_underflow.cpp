#include <gtest/gtest.h>

#include "convert/patterns.hpp"

namespace ballast::test {
namespace {

// Zero and a number too small for any of these types, each with both signs.
const Patterns kNothing{0x0000'0000, 0x8000'0000, 0x0000'0001, 0x8000'0001};

TEST(ZeroAndUnderflow, the_sign_is_kept) {
  EXPECT_EQ(convert_patterns(DType::F32, DType::F16, kNothing), (Patterns{0, 0x8000, 0, 0x8000}));
  EXPECT_EQ(convert_patterns(DType::F32, DType::BF16, kNothing), (Patterns{0, 0x8000, 0, 0x8000}));
  EXPECT_EQ(convert_patterns(DType::F32, DType::F8_E4M3, kNothing), (Patterns{0, 0x80, 0, 0x80}));
  EXPECT_EQ(convert_patterns(DType::F32, DType::F8_E5M2, kNothing), (Patterns{0, 0x80, 0, 0x80}));
  EXPECT_EQ(convert_patterns(DType::F16, DType::F64, {0x8000}), (Patterns{0x8000'0000'0000'0000}));
}

TEST(ZeroAndUnderflow, fnuz_types_have_one_zero) {
  EXPECT_EQ(convert_patterns(DType::F32, DType::F8_E4M3FNUZ, kNothing), (Patterns{0, 0, 0, 0}));
  EXPECT_EQ(convert_patterns(DType::F32, DType::F8_E5M2FNUZ, kNothing), (Patterns{0, 0, 0, 0}));
}

TEST(ZeroAndUnderflow, e8m0_gives_its_smallest_value) {
  EXPECT_EQ(convert_patterns(DType::F32, DType::F8_E8M0, kNothing), (Patterns{0, 0, 0, 0}));
  EXPECT_EQ(convert_patterns(DType::F8_E8M0, DType::F32, {0}), (Patterns{0x0040'0000}));  // 2^-127
}

}  // namespace
}  // namespace ballast::test
