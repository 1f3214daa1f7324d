// The digest of tests/fixtures/make_convert.py: 64-bit FNV-1a fed whole elements, folded after each.
#pragma once

#include <cstdint>

namespace ballast::test {

class Digest {
 public:
  void add(std::uint64_t pattern) {
    value_ = (value_ ^ pattern) * 0x100000001B3;
    value_ ^= value_ >> 32;
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325;
};

}  // namespace ballast::test
