// The block of memory that tensors are loaded into.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "ballast/execute.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(Arena, is_zero_and_aligned) {
  for (const std::uint64_t bytes : {1ULL, 4096ULL, 5000ULL, (2ULL << 20) - 1, (2ULL << 20) + 1, 9ULL << 20}) {
    const Arena arena(bytes);
    EXPECT_EQ(arena.size(), bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arena.data()) % 4096, 0);
    EXPECT_TRUE(std::all_of(arena.data(), arena.data() + bytes, [](std::byte b) { return b == std::byte{}; }));
    std::fill_n(arena.data(), bytes, std::byte{1});
  }
}

TEST(Arena, of_nothing) {
  const Arena arena(0);
  EXPECT_EQ(arena.data(), nullptr);
  EXPECT_EQ(arena.size(), 0);
}

TEST(Arena, moves) {
  Arena a(5000);
  std::byte* const data = a.data();
  data[4999] = std::byte{7};
  Arena b(std::move(a));
  EXPECT_EQ(b.data(), data);
  Arena c(100);
  c = std::move(b);
  EXPECT_EQ(c.data(), data);
  EXPECT_EQ(c.size(), 5000);
  EXPECT_EQ(c.data()[4999], std::byte{7});
  Arena& same = c;
  c = std::move(same);
  EXPECT_EQ(c.data(), data);
}

TEST(Arena, too_large_says_how_much_there_is) {
  for (const std::uint64_t bytes : {1ULL << 46, 1ULL << 62, ~0ULL, ~0ULL - 4096})
    EXPECT_TRUE(fails_with([&] { const Arena arena(bytes); }, Errc::out_of_memory,
                           {std::to_string(bytes) + " bytes", "the machine has"}));
}

}  // namespace
}  // namespace ballast::test
