// Matrices turned round, of every element size and of shapes that leave every kind of rest in the tiles.
#include <gtest/gtest.h>

#include "execute/case.hpp"

namespace ballast::test {
namespace {

void expect_transposed(DType from, DType to, std::uint64_t rows, std::uint64_t columns) {
  SCOPED_TRACE(testing::Message() << name(from) << " to " << name(to) << " " << rows << " x " << columns);
  Case c;
  const std::uint64_t block = info(from).block_elements;
  columns = (columns + block - 1) / block * block;
  c.add_file(arbitrary_bytes(*byte_size(from, rows * columns)));
  Copy copy = copy_of(0, from, 0, {{rows, columns, 1}, {columns, 1, rows}});
  copy.to = to;
  copy.dst_base = c.reserve(*byte_size(to, rows * columns));
  c.add(copy);
  c.finish();
  EXPECT_TRUE(c.loads_right());
  execution::Sizes tiny;
  tiny.task_bytes = 3000;
  tiny.staging_bytes = 2000;
  EXPECT_TRUE(c.loads_right(2, tiny));
}

TEST(Transposes, moved) {
  for (const DType dtype : {DType::U8, DType::BF16, DType::F32, DType::I64})
    for (const auto& [rows, columns] :
         {std::pair{128U, 128U}, {129U, 131U}, {300U, 127U}, {1U, 200U}, {7U, 300U}, {300U, 5U}})
      expect_transposed(dtype, dtype, rows, columns);
}

// Gate and up of an expert: two matrices that alternate in the lines of the result, each moved on its own.
TEST(Transposes, that_alternate) {
  for (const DType dtype : {DType::U8, DType::BF16, DType::F32, DType::I64})
    for (const std::uint64_t parts : {2U, 3U, 4U, 5U}) {
      SCOPED_TRACE(testing::Message() << parts << " of " << name(dtype));
      constexpr std::uint64_t kRows = 130, kColumns = 140;
      Case c;
      const std::uint64_t bytes = *byte_size(dtype, kRows * kColumns);
      c.add_file(arbitrary_bytes(bytes * parts));
      const std::uint64_t place = c.reserve(bytes * parts);
      for (std::uint64_t part = 0; part != parts; ++part) {
        Copy copy = copy_of(0, dtype, bytes * part, {{kRows, kColumns, parts}, {kColumns, 1, kRows * parts}});
        copy.dst_base = place + *byte_size(dtype, part);
        c.add(copy);
      }
      c.finish();
      EXPECT_TRUE(c.loads_right());
    }
}

TEST(Transposes, converted) {
  for (const auto& [rows, columns] : {std::pair{64U, 256U}, {65U, 600U}, {130U, 3U}}) {
    expect_transposed(DType::F32, DType::BF16, rows, columns);
    expect_transposed(DType::F8_E4M3, DType::F32, rows, columns);
    expect_transposed(DType::Q4_0, DType::F16, rows, columns);
  }
}

TEST(Transposes, experts_stacked) {
  Case c;
  c.add_file(arbitrary_bytes(3 * 40 * 50 * 2));
  Copy copy = copy_of(0, DType::BF16, 0, {{3, 2000, 2000}, {40, 50, 1}, {50, 1, 40}});
  copy.dst_base = c.reserve(3 * 40 * 50 * 2);
  c.add(copy);
  c.finish();
  EXPECT_TRUE(c.loads_right());
}

TEST(Transposes, units_of_odd_size) {
  Case c;
  c.add_file(arbitrary_bytes(30 * 40 * 34 + 30 * 40 * 12));
  Copy blocks = copy_of(0, DType::Q8_0, 0, {{30, 40 * 32, 32}, {40, 32, 30 * 32}, {32, 1, 1}});
  blocks.dst_base = c.reserve(30 * 40 * 34);
  c.add(blocks);
  Copy triples = copy_of(0, DType::F32, 30 * 40 * 34, {{30, 40 * 3, 3}, {40, 3, 90}, {3, 1, 1}});
  triples.dst_base = c.reserve(30 * 40 * 12);
  c.add(triples);
  c.finish();
  EXPECT_TRUE(c.loads_right());
}

TEST(Transposes, strided_on_both_sides) {
  Case c;
  c.add_file(arbitrary_bytes(50 * 60 * 2 * 4));
  for (const DType to : {DType::F32, DType::F16}) {
    Copy copy = copy_of(0, DType::F32, 0, {{50, 120, 3}, {60, 2, 150}});
    copy.to = to;
    copy.dst_base = c.reserve(50 * 60 * 3 * *byte_size(to, 1));
    c.add(copy);
  }
  c.finish();
  EXPECT_TRUE(c.loads_right());
}

}  // namespace
}  // namespace ballast::test
