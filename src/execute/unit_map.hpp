// Which blocks of a stretch of a file are needed: one bit each. Copies that need the same blocks mark them twice and
// have them read once.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace ballast::execution {

class UnitMap {
 public:
  // None of `units` is marked.
  void reset(std::uint64_t units) {
    units_ = units;
    words_.assign((units + 63) / 64, 0);
  }

  void mark(std::uint64_t begin, std::uint64_t count) {
    const std::uint64_t end = begin + count;
    std::uint64_t word = begin / 64;
    const std::uint64_t last = (end - 1) / 64;
    const std::uint64_t head = ~std::uint64_t{0} << begin % 64;
    const std::uint64_t tail = ~std::uint64_t{0} >> (63 - (end - 1) % 64);
    if (word == last) {
      words_[word] |= head & tail;
      return;
    }
    words_[word] |= head;
    while (++word != last) words_[word] = ~std::uint64_t{0};
    words_[last] |= tail;
  }

  // Calls `visit(begin, count)` for each stretch of marked units, in order.
  template <class Visit>
  void for_each_extent(Visit&& visit) const {
    for (std::uint64_t at = find(0, true); at != units_;) {
      const std::uint64_t end = find(at, false);
      visit(at, end - at);
      at = find(end, true);
    }
  }

 private:
  // The first unit from `from` on that is marked, or is not; the number of units where there is none.
  [[nodiscard]] std::uint64_t find(std::uint64_t from, bool marked) const {
    const std::uint64_t flip = marked ? 0 : ~std::uint64_t{0};
    std::uint64_t skip = ~std::uint64_t{0} << from % 64;
    for (std::uint64_t word = from / 64; word < words_.size(); ++word, skip = ~std::uint64_t{0}) {
      const std::uint64_t bits = (words_[word] ^ flip) & skip;
      if (bits != 0) return std::min(units_, word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits)));
    }
    return units_;
  }

  std::uint64_t units_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace ballast::execution
