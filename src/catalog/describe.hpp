// How found values are shown in diagnostics: short, whatever is in them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ballast/error.hpp"
#include "ballast/value.hpp"

namespace ballast::catalog {

// A fault of opening a checkpoint, to be filled in further.
[[nodiscard]] Diagnostic open_fault(Errc code, const std::string& path, std::string what);

[[nodiscard]] std::string quoted(std::string_view text);  // "\"768\"", printable
[[nodiscard]] std::string describe(const Value& value);   // "the string \"768\"", "an array of length 3", "-1"
// "a, b, c and 12 more"; "nothing" for none.
[[nodiscard]] std::string list_names(const std::vector<std::string>& names);

}  // namespace ballast::catalog
