// Tensors are described as DLPack describes them, so that handing one over is a matter of copying fields.
#include <gtest/gtest.h>

#include "containers/streaming.hpp"

namespace ballast::test {
namespace {

struct Expected {
  DType dtype;
  int code, bits;
};

// DLDataTypeCode of dlpack.h: int 0, uint 1, float 2, opaque handle 3, bfloat 4, complex 5, bool 6, and from version
// 1.1 on float8_e3m4 7, float8_e4m3 8, e4m3b11fnuz 9, e4m3fn 10, e4m3fnuz 11, e5m2 12, e5m2fnuz 13, e8m0fnu 14,
// float6_e2m3fn 15, float6_e3m2fn 16, float4_e2m1fn 17.
TEST(DLPack, TypeCodes) {
  const Expected all[] = {
      {DType::F64, 2, 64},     {DType::F32, 2, 32},         {DType::F16, 2, 16},     {DType::BF16, 4, 16},
      {DType::F8_E4M3, 10, 8}, {DType::F8_E4M3FNUZ, 11, 8}, {DType::F8_E5M2, 12, 8}, {DType::F8_E5M2FNUZ, 13, 8},
      {DType::F8_E8M0, 14, 8}, {DType::F6_E2M3, 15, 6},     {DType::F6_E3M2, 16, 6}, {DType::F4, 17, 4},
      {DType::I64, 0, 64},     {DType::I32, 0, 32},         {DType::I16, 0, 16},     {DType::I8, 0, 8},
      {DType::U64, 1, 64},     {DType::U32, 1, 32},         {DType::U16, 1, 16},     {DType::U8, 1, 8},
      {DType::BOOL, 6, 8},     {DType::C64, 5, 64}};
  for (const Expected& one : all) {
    const DLType type = dl_type(one.dtype);
    EXPECT_EQ(type.code, one.code) << name(one.dtype);
    EXPECT_EQ(type.bits, one.bits) << name(one.dtype);
    EXPECT_EQ(type.lanes, 1) << name(one.dtype);
  }
}

TEST(DLPack, BlockTypesAreOpaqueBytes) {
  for (const DTypeInfo& one : all_dtypes()) {
    if (one.kind != DTypeKind::quantised) continue;
    EXPECT_EQ(dl_type(one.dtype).code, 1) << one.name;
    EXPECT_EQ(dl_type(one.dtype).bits, 8) << one.name;
  }
}

TEST(DLPack, DeviceNumbers) {
  EXPECT_EQ(static_cast<int>(DeviceKind::cpu), 1);
  EXPECT_EQ(static_cast<int>(DeviceKind::cuda), 2);
}

TEST(DLPack, StridesCountElements) {
  const Tensor tensor = contiguous_tensor(nullptr, DType::BF16, {2, 3, 4});
  EXPECT_EQ(tensor.strides, (Shape{12, 4, 1}));
  EXPECT_EQ(tensor.nbytes(), 48U);
  EXPECT_TRUE(tensor.is_contiguous());
}

TEST(Contiguous, DoesNotLookAtStridesThatAreNeverUsed) {
  Tensor tensor = contiguous_tensor(nullptr, DType::F32, {3, 1, 2});
  tensor.strides[1] = 77;
  EXPECT_TRUE(tensor.is_contiguous());
  tensor.strides[0] = 3;
  EXPECT_FALSE(tensor.is_contiguous());
  tensor.shape[0] = 0;
  EXPECT_TRUE(tensor.is_contiguous()) << "there is no element to lie wrongly";
  EXPECT_TRUE(contiguous_tensor(nullptr, DType::F32, {}).is_contiguous());
}

}  // namespace
}  // namespace ballast::test
