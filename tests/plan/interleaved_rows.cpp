// Gate and up rows in turn: one copy of each, row by row.
#include <gtest/gtest.h>

#include "plan/emitted.hpp"

namespace ballast::test {
namespace {

TEST(InterleavedRows, AreTwoCopiesRowByRow) {
  const Emitted x = emit(interleave(0, stored(0, {4, 6}), stored(1, {4, 6})));
  ASSERT_EQ(x.copies.size(), 2U);
  for (std::uint32_t i = 0; i < 2; ++i) {
    EXPECT_EQ(x.copies[i].source, i);
    EXPECT_EQ(x.copies[i].dst_begin, i * 6U);
    EXPECT_EQ(loops_of(x.copies[i]), (std::vector<CopyDim>{{4, 6, 12}, {6, 1, 1}}));
  }
}

TEST(InterleavedRows, OfARankAreTwoCopies) {
  ModelContext m;
  m.model_dim = 6;
  m.intermediate_dim = 128;
  m.tp_rank = 1;
  m.tp_size = 2;
  const Emitted x = emit(m.transform_gated_mlp_1(stored(0, {128, 6}), stored(1, {128, 6})));
  ASSERT_EQ(x.copies.size(), 2U);
  EXPECT_EQ(x.copies[0].src_begin, 64U * 6);
  EXPECT_EQ(loops_of(x.copies[0]), (std::vector<CopyDim>{{64, 6, 12}, {6, 1, 1}}));
}

TEST(InterleavedRows, ABiasIsInterleavedElementByElement) {
  const Emitted x = emit(interleave(0, stored(0, {4}), stored(1, {4})));
  ASSERT_EQ(x.copies.size(), 2U);
  EXPECT_EQ(loops_of(x.copies[1]), (std::vector<CopyDim>{{4, 1, 2}}));
  EXPECT_EQ(x.copies[1].run_elements(), 4U);
  EXPECT_FALSE(x.copies[1].run_is_contiguous_in_target());
}

TEST(InterleavedRows, TakenApartAreOneRun) {
  // Even rows of an interleaved pair are the gate.
  const Recipe both = interleave(0, stored(0, {4, 6}), stored(1, {4, 6}));
  const Recipe gate = reshape(slice(reshape(both, {4, 2, 6}), 1, 0, 1), {4, 6});
  const Emitted x = emit(gate);
  ASSERT_EQ(x.copies.size(), 1U);
  EXPECT_EQ(x.copies[0].source, 0U);
  EXPECT_EQ(loops_of(x.copies[0]), (std::vector<CopyDim>{{24, 1, 1}}));
}

}  // namespace
}  // namespace ballast::test
