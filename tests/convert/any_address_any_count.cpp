// Sources and destinations at any address, and lengths that leave every possible tail for a vector loop.
#include <gtest/gtest.h>

#include <algorithm>

#include "convert/fixture_files.hpp"
#include "convert/patterns.hpp"

namespace ballast::test {
namespace {

constexpr std::byte kUntouched{0xA5};

// Runs the pair's kernel from and to buffers `from_offset` and `to_offset` past an aligned address; what is behind the
// result must be left alone. (A build with sanitizers would also report misaligned loads and stores.)
std::vector<std::byte> convert_at(DType from, DType to, const std::vector<std::byte>& input, std::size_t elements,
                                  std::size_t from_offset, std::size_t to_offset) {
  const auto output_bytes = *byte_size(to, elements);
  std::vector<std::byte> source(from_offset + *byte_size(from, elements));
  std::copy_n(input.begin(), source.size() - from_offset, source.begin() + static_cast<std::ptrdiff_t>(from_offset));
  std::vector<std::byte> target(to_offset + output_bytes + 64, kUntouched);
  convert::find_kernel(from, to)(source.data() + from_offset, target.data() + to_offset, elements);
  for (std::size_t i = 0; i != target.size(); ++i) {
    if (i < to_offset || i >= to_offset + output_bytes) {
      EXPECT_EQ(target[i], kUntouched) << "at " << i;
    }
  }
  const auto first = target.begin() + static_cast<std::ptrdiff_t>(to_offset);
  return {first, first + static_cast<std::ptrdiff_t>(output_bytes)};
}

std::vector<std::byte> arbitrary_bytes(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i != count; ++i) bytes[i] = static_cast<std::byte>(i * 73 + 11);
  return bytes;
}

TEST(AnyAddress, floats) {
  const auto input = arbitrary_bytes(67 * 8);
  for (const DType from : kFloats) {
    for (const DType to : kFloats) {
      SCOPED_TRACE(testing::Message() << name(from) << " to " << name(to));
      const auto aligned = convert_at(from, to, input, 67, 0, 0);
      EXPECT_EQ(convert_at(from, to, input, 67, 1, 0), aligned);
      EXPECT_EQ(convert_at(from, to, input, 67, 0, 3), aligned);
      EXPECT_EQ(convert_at(from, to, input, 67, 5, 7), aligned);
    }
  }
}

TEST(AnyAddress, blocks) {
  for (const DType from : kGgmlTypes) {
    const auto blocks = read_blocks_fixture(from, "blocks");
    for (const DType to : {from, DType::F32, DType::F16, DType::BF16}) {
      SCOPED_TRACE(testing::Message() << name(from) << " to " << name(to));
      EXPECT_EQ(convert_at(from, to, blocks, 96, 1, 3), convert_at(from, to, blocks, 96, 0, 0));
    }
  }
}

TEST(AnyCount, floats) {
  const auto input = arbitrary_bytes(70 * 8);
  for (const DType from : kFloats) {
    for (const DType to : kFloats) {
      SCOPED_TRACE(testing::Message() << name(from) << " to " << name(to));
      const auto whole = convert_at(from, to, input, 70, 0, 0);
      for (std::size_t elements = 0; elements != 70; ++elements) {
        const auto part = convert_at(from, to, input, elements, 0, 0);
        ASSERT_TRUE(std::equal(part.begin(), part.end(), whole.begin())) << elements << " elements";
      }
    }
  }
}

}  // namespace
}  // namespace ballast::test
