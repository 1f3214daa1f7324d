// What is converted on the way: casts in a row, and blocks of which only a part is wanted.
#include <gtest/gtest.h>

#include "execute/case.hpp"

namespace ballast::test {
namespace {

TEST(Conversions, casts_in_a_row_round_at_each) {
  Case c;
  c.add_file(arbitrary_bytes(8 * 5000));
  Copy copy = copy_of(0, DType::F64, 0, {{5000, 1, 1}});
  copy.via = {DType::F16, DType::F8_E4M3};
  copy.n_via = 2;
  copy.to = DType::F64;
  copy.dst_base = c.reserve(8 * 5000);
  c.add(copy);
  c.finish();
  EXPECT_TRUE(c.loads_right());
}

TEST(Conversions, there_and_back_is_not_a_move) {
  Case c;
  c.add_file(arbitrary_bytes(4 * 5000));
  Copy copy = copy_of(0, DType::F32, 0, {{5000, 1, 1}});
  copy.via[0] = DType::F8_E5M2;
  copy.n_via = 1;
  copy.dst_base = c.reserve(4 * 5000);
  c.add(copy);
  c.finish();
  EXPECT_TRUE(c.loads_right());
  EXPECT_EQ(c.load().bytes_direct, 0);
}

TEST(Conversions, parts_of_blocks) {
  for (const std::uint64_t begin : {0U, 1U, 31U, 32U, 40U}) {
    for (const std::uint64_t count : {1U, 2U, 31U, 32U, 33U, 100U}) {
      Case c;
      c.add_file(arbitrary_bytes(5 * 8 * 18));
      Copy copy = copy_of(0, DType::Q4_0, 0, {{5, 256, count}, {count, 1, 1}});
      copy.src_begin = begin;
      copy.to = DType::F32;
      copy.dst_base = c.reserve(5 * count * 4);
      c.add(copy);
      c.finish();
      execution::Sizes tiny;
      tiny.task_bytes = tiny.staging_bytes = 64;
      EXPECT_TRUE(c.loads_right()) << begin << " " << count;
      EXPECT_TRUE(c.loads_right(2, tiny)) << begin << " " << count;
    }
  }
}

TEST(Conversions, large_enough_for_several_stretches) {
  Case c;
  c.add_file(arbitrary_bytes(3 << 20));
  Copy copy = copy_of(0, DType::BF16, 2, {{(3U << 19) - 1, 1, 1}});
  copy.to = DType::F32;
  copy.dst_base = c.reserve(6 << 20);
  c.add(copy);
  c.finish();
  ExecuteOptions options;
  options.threads = 2;
  options.staging_bytes = 1;
  EXPECT_TRUE(c.loads_right(options));
}

TEST(Conversions, without_a_kernel_are_refused) {
  Case c;
  c.add_file(arbitrary_bytes(40));
  Copy& copy = c.add(copy_of(0, DType::I32, 0, {{10, 1, 1}}));
  c.finish();
  c.plan().copies[0].to = DType::F32;
  (void)copy;
  try {
    (void)c.load();
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::dtype_unsupported);
  }
}

}  // namespace
}  // namespace ballast::test
