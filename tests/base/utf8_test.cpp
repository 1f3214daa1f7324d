#include "base/utf8.hpp"

#include <gtest/gtest.h>

namespace ballast {
namespace {

TEST(Utf8, AcceptsEveryLength) {
  EXPECT_FALSE(find_invalid_utf8(""));
  EXPECT_FALSE(find_invalid_utf8("a\xC3\xA9\xE8\xA1\xA8\xF0\x9F\x98\x80"));
  EXPECT_EQ(decode_utf8("\xE8\xA1\xA8").code, U'表');
  EXPECT_EQ(decode_utf8("\xF4\x8F\xBF\xBF").code, char32_t{0x10FFFF});
}

TEST(Utf8, FindsTheFirstFault) {
  EXPECT_EQ(find_invalid_utf8("ab\xFFz"), 2U);
  EXPECT_EQ(find_invalid_utf8("\xC3"), 0U) << "cut short";
  EXPECT_EQ(find_invalid_utf8("a\x80"), 1U) << "a continuation without a start";
  EXPECT_EQ(find_invalid_utf8("\xC0\xAF"), 0U) << "overlong";
  EXPECT_EQ(find_invalid_utf8("\xE0\x80\xAF"), 0U) << "overlong";
  EXPECT_EQ(find_invalid_utf8("\xED\xA0\x80"), 0U) << "a surrogate";
  EXPECT_EQ(find_invalid_utf8("\xF4\x90\x80\x80"), 0U) << "beyond U+10FFFF";
}

}  // namespace
}  // namespace ballast
