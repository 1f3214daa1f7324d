// Of several names, the one that a misspelt one was most likely meant to be.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "mapping/nearest.hpp"

namespace ballast::formula {

template <class Names>
[[nodiscard]] std::string nearest_of(std::string_view wanted, const Names& names) {
  constexpr std::size_t kMostEdits = 3;
  std::string best;
  std::size_t least = std::min(kMostEdits, wanted.size() / 2) + 1;
  for (const std::string_view one : names)
    if (const std::size_t edits = mapper::edit_distance(wanted, one, kMostEdits); edits < least) {
      least = edits;
      best = one;
    }
  return best;
}

}  // namespace ballast::formula
