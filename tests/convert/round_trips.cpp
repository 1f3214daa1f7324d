#include <gtest/gtest.h>

#include "convert/inputs.hpp"
#include "convert/patterns.hpp"

namespace ballast::test {
namespace {

TEST(RoundTrips, every_value_of_a_small_type_survives_f32_and_f64) {
  for (const DType dtype : kFloats) {
    if (info(dtype).block_bytes > 2) continue;
    const auto patterns = inputs_of(dtype);
    for (const DType wide : {DType::F32, DType::F64}) {
      SCOPED_TRACE(testing::Message() << name(dtype) << " by way of " << name(wide));
      const auto returned = convert_patterns(wide, dtype, convert_patterns(dtype, wide, patterns));
      ASSERT_EQ(returned.size(), patterns.size());
      for (std::size_t i = 0; i != patterns.size(); ++i) {
        if (!is_nan(dtype, patterns[i])) {
          ASSERT_EQ(returned[i], patterns[i]);
        }
      }
    }
  }
}

}  // namespace
}  // namespace ballast::test
