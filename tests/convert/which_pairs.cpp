#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>

#include "convert/patterns.hpp"

namespace ballast::test {
namespace {

bool one_of(DType dtype, std::initializer_list<DType> dtypes) { return std::ranges::count(dtypes, dtype) != 0; }
bool is_float(DType dtype) { return std::ranges::count(kFloats, dtype) != 0; }
bool is_ggml(DType dtype) { return std::ranges::count(kGgmlTypes, dtype) != 0; }

TEST(WhichPairs, there_is_a_kernel_exactly_where_convert_hpp_says) {
  for (const DTypeInfo& from : all_dtypes()) {
    for (const DTypeInfo& to : all_dtypes()) {
      SCOPED_TRACE(testing::Message() << from.name << " to " << to.name);
      const bool expected = from.dtype == to.dtype || (is_float(from.dtype) && is_float(to.dtype)) ||
                            (is_ggml(from.dtype) && one_of(to.dtype, {DType::F32, DType::F16, DType::BF16}));
      EXPECT_EQ(convert::find_kernel(from.dtype, to.dtype) != nullptr, expected);
    }
  }
}

TEST(WhichPairs, none_for_a_number_that_is_no_type) {
  const auto none = static_cast<DType>(kDTypeCount);
  EXPECT_EQ(convert::find_kernel(none, none), nullptr);
  EXPECT_EQ(convert::find_kernel(none, DType::F32), nullptr);
  EXPECT_EQ(convert::find_kernel(DType::F32, none), nullptr);
}

}  // namespace
}  // namespace ballast::test
