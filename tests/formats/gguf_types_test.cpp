#include "formats/gguf_types.hpp"

#include <gtest/gtest.h>

#include "formats/parse.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

struct Row {
  std::uint32_t id;
  const char* name;
  std::uint64_t block_elements;
  std::uint64_t block_bytes;
};

// From ggml's own table of types.
constexpr Row kRows[] = {
    {0, "F32", 1, 4},         {1, "F16", 1, 2},         {2, "Q4_0", 32, 18},      {3, "Q4_1", 32, 20},
    {6, "Q5_0", 32, 22},      {7, "Q5_1", 32, 24},      {8, "Q8_0", 32, 34},      {9, "Q8_1", 32, 36},
    {10, "Q2_K", 256, 84},    {11, "Q3_K", 256, 110},   {12, "Q4_K", 256, 144},   {13, "Q5_K", 256, 176},
    {14, "Q6_K", 256, 210},   {15, "Q8_K", 256, 292},   {16, "IQ2_XXS", 256, 66}, {17, "IQ2_XS", 256, 74},
    {18, "IQ3_XXS", 256, 98}, {19, "IQ1_S", 256, 50},   {20, "IQ4_NL", 32, 18},   {21, "IQ3_S", 256, 110},
    {22, "IQ2_S", 256, 82},   {23, "IQ4_XS", 256, 136}, {24, "I8", 1, 1},         {25, "I16", 1, 2},
    {26, "I32", 1, 4},        {27, "I64", 1, 8},        {28, "F64", 1, 8},        {29, "IQ1_M", 256, 56},
    {30, "BF16", 1, 2},       {34, "TQ1_0", 256, 54},   {35, "TQ2_0", 256, 66},   {39, "MXFP4", 32, 17},
    {40, "NVFP4", 64, 36},    {41, "Q1_0", 128, 18},
};

TEST(GgufTypes, EveryTypeIsKnownBySize) {
  for (const Row& row : kRows) {
    const std::string header = gguf_start(1, 0) + gguf_tensor("a", 2 * row.block_elements, row.id, 0);
    const FileHeader parsed = parse_gguf(gguf_file(header, 2 * row.block_bytes));
    EXPECT_EQ(name(parsed.tensors[0].dtype), row.name);
    EXPECT_EQ(parsed.tensors[0].nbytes, 2 * row.block_bytes) << row.name;
  }
}

TEST(GgufTypes, NoOtherTypeIsKnown) {
  std::size_t known = 0;
  for (std::uint32_t id = 0; id < 1000; ++id) known += dtype_from_ggml(id).has_value();
  EXPECT_EQ(known, std::size(kRows));
}

TEST(GgufTypes, AnUnknownTypeIsNamedByItsNumber) {
  const auto parse = [](std::uint32_t id) {
    (void)parse_gguf(gguf_file(gguf_start(1, 0) + gguf_tensor("a", 32, id, 0), 32));
  };
  EXPECT_TRUE(fails_with([&] { parse(99); }, Errc::unknown_dtype, {"tensor \"a\"", "type 99"}));
  EXPECT_TRUE(fails_with([&] { parse(0xFFFFFFFF); }, Errc::unknown_dtype, {"type 4294967295"}));
  EXPECT_TRUE(fails_with([&] { parse(31); }, Errc::unknown_dtype, {"Q4_0_4_4, which ggml removed"}));
}

}  // namespace
}  // namespace ballast::test
