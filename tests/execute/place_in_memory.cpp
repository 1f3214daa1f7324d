// Copies whose sources lie in memory already.
#include <gtest/gtest.h>

#include "execute/case.hpp"

namespace ballast::test {
namespace {

// Places from the bytes of the case's one file, and compares with what loading must give.
void expect_placed(const Copy& planned, std::uint64_t file_bytes, std::uint64_t arena_bytes) {
  Case c;
  const std::string file = arbitrary_bytes(file_bytes);
  c.add_file(file);
  Copy& copy = c.add(planned);
  copy.dst_base = c.reserve(3) + 3 + 13;
  c.reserve(arena_bytes);
  std::string arena = c.blank_arena();
  place(copy, reinterpret_cast<const std::byte*>(file.data()) + copy.src_base,
        reinterpret_cast<std::byte*>(arena.data()));
  EXPECT_EQ(arena, c.expected());
}

TEST(PlaceInMemory, moved) {
  Copy copy = copy_of(0, DType::F16, 5, {{30, 40, 20}, {20, 1, 1}});
  copy.src_begin = 4;
  expect_placed(copy, 3000, 1200);
}

TEST(PlaceInMemory, transposed_and_converted) {
  Copy copy = copy_of(0, DType::F16, 5, {{30, 40, 1}, {40, 1, 30}});
  copy.to = DType::F32;
  expect_placed(copy, 3000, 4800);
}

TEST(PlaceInMemory, parts_of_blocks) {
  Copy copy = copy_of(0, DType::Q8_0, 7, {{5, 64, 50}, {50, 1, 1}});
  copy.src_begin = 3;
  copy.to = DType::BF16;
  expect_placed(copy, 7 + 10 * 34, 500);
}

TEST(PlaceInMemory, one_element) { expect_placed(copy_of(0, DType::F64, 0, {}), 8, 8); }

TEST(PlaceInMemory, no_element) {
  Copy copy = copy_of(0, DType::F64, 0, {{0, 1, 1}});
  place(copy, nullptr, nullptr);
}

}  // namespace
}  // namespace ballast::test
