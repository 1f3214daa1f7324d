// Beyond the arena a load takes the staging and little else, however large the files and however short the runs.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>

#include "execute/case.hpp"

namespace ballast::test {
namespace {

#ifndef __has_feature
#define __has_feature(feature) 0
#endif
// What a sanitizer's shadow makes of every byte that is touched: the thread sanitizer keeps four bytes and up to one
// more beside each, the address sanitizer an eighth.
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
constexpr std::uint64_t kPerByte = 6;
#elif defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
constexpr std::uint64_t kPerByte = 2;
#else
constexpr std::uint64_t kPerByte = 1;
#endif
constexpr std::uint64_t kAllowed = 64ULL << 20;

std::uint64_t peak_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

// A sparse file of which every loaded byte costs the arena as much as it says.
void expect_bounded(const Copy& copy, std::uint64_t file_bytes, std::uint64_t arena_bytes) {
  Case c;
  const std::uint32_t file = c.add_file("");
  std::filesystem::resize_file(c.path(file), file_bytes);
  c.catalog().files[file].file_bytes = file_bytes;
  Plan& plan = c.plan();
  plan.copies.push_back(copy);
  plan.groups.push_back({file, 0, 1, copy.file_begin(), copy.file_end()});
  plan.bytes_needed = copy.elements() * info(copy.from).block_bytes;
  plan.arena_bytes = arena_bytes;
  const Arena arena(arena_bytes);
  ExecuteOptions options;
  options.threads = 4;
  const std::uint64_t before = peak_bytes();
  const ExecuteStats stats = execute(c.catalog(), plan, arena.data(), options);
  EXPECT_EQ(stats.bytes_read, plan.bytes_needed);
  const std::uint64_t after = peak_bytes();
  EXPECT_LE(after - before, (arena_bytes + kAllowed) * kPerByte);
}

TEST(MemoryIsBounded, long_runs) {
  constexpr std::uint64_t kBytes = 256ULL << 20;
  expect_bounded(copy_of(0, DType::U8, 0, {{kBytes, 1, 1}}), kBytes, kBytes);
}

TEST(MemoryIsBounded, conversions) {
  constexpr std::uint64_t kElements = 64ULL << 20;
  Copy copy = copy_of(0, DType::BF16, 0, {{kElements, 1, 1}});
  copy.to = DType::F8_E4M3;
  expect_bounded(copy, kElements * 2, kElements);
}

TEST(MemoryIsBounded, runs_of_one_byte) {
  constexpr std::uint64_t kRows = 16ULL << 10, kColumns = 1ULL << 10;
  expect_bounded(copy_of(0, DType::U8, 0, {{kRows, kColumns, 1}, {kColumns, 1, kRows}}), kRows * kColumns,
                 kRows * kColumns);
}

}  // namespace
}  // namespace ballast::test
