// A case whose bytes go both ways: straight into place, and through staging.
#pragma once

#include "execute/case.hpp"

namespace ballast::test {

// Two files of about `bytes` each: half is moved, half is converted.
inline void fill_two_ways(Case& c, std::uint64_t bytes) {
  for (int i = 0; i != 2; ++i) {
    const std::uint32_t file = c.add_file(arbitrary_bytes(bytes));
    const std::uint64_t elements = bytes / 4;
    for (const DType to : {DType::BF16, DType::F32}) {
      Copy copy = copy_of(file, DType::BF16, to == DType::BF16 ? 0 : elements * 2, {{elements, 1, 1}});
      copy.to = to;
      copy.dst_base = c.reserve(*byte_size(to, elements));
      c.add(copy);
    }
  }
  c.finish();
}

}  // namespace ballast::test
