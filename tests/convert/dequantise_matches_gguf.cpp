// Bit-equal to gguf.quants.dequantize, and for F16 and BF16 to PyTorch's casts of its results.
#include <gtest/gtest.h>

#include <utility>

#include "convert/fixture_files.hpp"
#include "convert/patterns.hpp"

namespace ballast::test {
namespace {

class Dequantise : public testing::TestWithParam<DType> {};

TEST_P(Dequantise, matches_gguf) {
  const auto blocks = read_blocks_fixture(GetParam(), "blocks");
  const auto elements = elements_in(GetParam(), blocks);
  ASSERT_GT(elements, 0U);
  for (const auto& [to, suffix] : {std::pair{DType::F32, "f32"}, {DType::F16, "f16"}, {DType::BF16, "bf16"}}) {
    SCOPED_TRACE(suffix);
    const auto expected = read_blocks_fixture(GetParam(), suffix);
    const auto width = info(to).block_bytes;
    ASSERT_EQ(expected.size(), elements * width);
    const auto kernel = convert::find_kernel(GetParam(), to);
    ASSERT_NE(kernel, nullptr);
    std::vector<std::byte> output(expected.size());
    kernel(blocks.data(), output.data(), elements);
    EXPECT_EQ(patterns_from(output, width), patterns_from(expected, width));
  }
}

INSTANTIATE_TEST_SUITE_P(All, Dequantise, testing::ValuesIn(kGgmlTypes),
                         [](const auto& test) { return std::string(name(test.param)); });

}  // namespace
}  // namespace ballast::test
