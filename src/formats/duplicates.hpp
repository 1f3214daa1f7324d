// Names that a header states twice.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace ballast {

// For each name that occurs more than once, the index of its second occurrence; in ascending order.
[[nodiscard]] std::vector<std::size_t> find_duplicates(std::span<const std::string_view> names);

}  // namespace ballast
