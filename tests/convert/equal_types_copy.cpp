#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "convert/convert.hpp"

namespace ballast::test {
namespace {

TEST(EqualTypes, copy_every_byte_and_no_more_whatever_the_type) {
  for (const DTypeInfo& type : all_dtypes()) {
    SCOPED_TRACE(type.name);
    const auto kernel = convert::find_kernel(type.dtype, type.dtype);
    ASSERT_NE(kernel, nullptr);
    const std::size_t bytes = 3 * std::size_t{type.block_bytes};
    std::vector<std::byte> input(bytes);
    for (std::size_t i = 0; i != bytes; ++i) input[i] = static_cast<std::byte>(255 - i % 256);  // signalling NaNs too
    std::vector<std::byte> output(bytes + 1, std::byte{0x5A});
    kernel(input.data(), output.data(), 3 * std::size_t{type.block_elements});
    EXPECT_TRUE(std::equal(input.begin(), input.end(), output.begin()));
    EXPECT_EQ(output.back(), std::byte{0x5A});
  }
}

}  // namespace
}  // namespace ballast::test
