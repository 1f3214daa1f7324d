#include "ballast/dtype.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>

namespace ballast {
namespace {

TEST(DType, TableIsIndexedByTheEnumeration) {
  EXPECT_EQ(all_dtypes().size(), kDTypeCount);
  std::set<std::string_view> names;
  for (const DTypeInfo& row : all_dtypes()) {
    EXPECT_EQ(&info(row.dtype), &row);
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_GT(row.block_bytes, 0U) << row.name;
  }
}

TEST(DType, EveryPlainTypeIsFoundByItsSafetensorsName) {
  for (const DTypeInfo& row : all_dtypes()) {
    const std::optional<DType> found = dtype_from_safetensors(row.name);
    if (is_quantised(row.dtype))
      EXPECT_FALSE(found) << row.name;
    else
      EXPECT_EQ(found, row.dtype) << row.name;
  }
}

TEST(DType, SafetensorsNamesAreExact) {
  EXPECT_FALSE(dtype_from_safetensors("bf16"));
  EXPECT_FALSE(dtype_from_safetensors("F32 "));
  EXPECT_FALSE(dtype_from_safetensors(""));
}

TEST(DType, TextOfPeopleAndConfigsIsUnderstood) {
  for (const char* text : {"bf16", "BF16", "bfloat16", "torch.bfloat16"}) EXPECT_EQ(dtype_from_text(text), DType::BF16);
  for (const char* text : {"f16", "float16", "half", "fp16"}) EXPECT_EQ(dtype_from_text(text), DType::F16);
  for (const char* text : {"f32", "torch.float32", "float", "fp32"}) EXPECT_EQ(dtype_from_text(text), DType::F32);
  EXPECT_EQ(dtype_from_text("float8_e4m3fn"), DType::F8_E4M3);
  EXPECT_EQ(dtype_from_text("torch.float8_e5m2"), DType::F8_E5M2);
  EXPECT_EQ(dtype_from_text("q4_0"), DType::Q4_0);
  EXPECT_FALSE(dtype_from_text("torch."));
  EXPECT_FALSE(dtype_from_text("float17"));
  EXPECT_FALSE(dtype_from_text("auto"));
}

TEST(DType, SubByteTypesAreCountedInBits) {
  EXPECT_EQ(byte_size(DType::F4, 6), 3U);
  EXPECT_FALSE(byte_size(DType::F4, 7));
  EXPECT_EQ(byte_size(DType::F6_E2M3, 8), 6U);
  EXPECT_EQ(byte_size(DType::F6_E3M2, 4), 3U);
  EXPECT_FALSE(byte_size(DType::F6_E3M2, 6)) << "36 bits are no whole number of bytes";
  EXPECT_EQ(byte_size(DType::F4, 0), 0U);
}

TEST(DType, BlockTypesNeedWholeBlocks) {
  EXPECT_EQ(byte_size(DType::Q4_0, 64), 36U);
  EXPECT_FALSE(byte_size(DType::Q4_0, 33));
  EXPECT_EQ(byte_size(DType::Q6_K, 512), 420U);
  EXPECT_TRUE(is_block(DType::Q4_0));
  EXPECT_TRUE(is_block(DType::F4));
  EXPECT_FALSE(is_block(DType::BF16));
}

TEST(DType, ByteSizeSaysWhereItOverflows) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(byte_size(DType::U8, kMax), kMax);
  EXPECT_FALSE(byte_size(DType::F16, kMax / 2 + 1));
  EXPECT_EQ(byte_size(DType::F16, kMax / 2), kMax - 1);
}

}  // namespace
}  // namespace ballast
