#include "formula/pattern.hpp"

#include <algorithm>

namespace ballast::formula {

std::vector<PatternPart> split_pattern(std::string_view pattern, std::vector<Fault>& faults) {
  std::vector<PatternPart> parts;
  std::size_t at = 0;
  while (at < pattern.size()) {
    const std::size_t brace = std::min(pattern.find_first_of("{}", at), pattern.size());
    if (brace > at) parts.push_back({std::string(pattern.substr(at, brace - at)), at, false});
    if (brace == pattern.size()) break;
    const std::size_t close = pattern[brace] == '{' ? pattern.find('}', brace) : std::string_view::npos;
    if (close == std::string_view::npos) {
      faults.push_back({brace, "a brace without its other one", "{formula}", std::string(pattern)});
      break;
    }
    parts.push_back({std::string(pattern.substr(brace + 1, close - brace - 1)), brace + 1, true});
    at = close + 1;
  }
  return parts;
}

}  // namespace ballast::formula
