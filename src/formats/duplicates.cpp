#include "formats/duplicates.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <tuple>

namespace ballast {
namespace {

struct Key {
  std::size_t hash;
  std::size_t index;
};

// Whether all hashes differ, which they nearly always do; false where that is not known within a few probes each. So
// hashes made to collide in the table cost a bounded time, and then the sort below.
bool surely_distinct(std::span<const Key> keys) {
  constexpr std::size_t kMaxProbes = 32;
  constexpr std::size_t kEmpty = 0;
  std::vector<std::size_t> table(std::bit_ceil(2 * keys.size() + kMaxProbes), kEmpty);
  const std::size_t mask = table.size() - 1;
  for (const Key& key : keys) {
    const std::size_t entry = key.hash | 1;  // never the empty mark
    std::size_t probes = 0;
    while (probes < kMaxProbes && table[((key.hash >> 1) + probes) & mask] != kEmpty) {
      if (table[((key.hash >> 1) + probes) & mask] == entry) return false;
      ++probes;
    }
    if (probes == kMaxProbes) return false;
    table[((key.hash >> 1) + probes) & mask] = entry;
  }
  return true;
}

}  // namespace

std::vector<std::size_t> find_duplicates(std::span<const std::string_view> names) {
  std::vector<Key> keys(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) keys[i] = {std::hash<std::string_view>{}(names[i]), i};
  if (surely_distinct(keys)) return {};

  // By hash first, which keeps nearly all comparisons away from the names themselves.
  std::sort(keys.begin(), keys.end(), [names](const Key& a, const Key& b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    return std::tie(names[a.index], a.index) < std::tie(names[b.index], b.index);
  });
  std::vector<std::size_t> seconds;
  const auto same = [&](std::size_t i, std::size_t j) {
    return keys[i].hash == keys[j].hash && names[keys[i].index] == names[keys[j].index];
  };
  for (std::size_t i = 1; i < keys.size(); ++i)
    if (same(i, i - 1) && (i == 1 || !same(i - 1, i - 2))) seconds.push_back(keys[i].index);
  std::sort(seconds.begin(), seconds.end());
  return seconds;
}

}  // namespace ballast
