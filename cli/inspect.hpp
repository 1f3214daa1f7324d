// What `ballast inspect` says of a catalog.
#pragma once

#include <string>

#include "ballast/catalog.hpp"
#include "json.hpp"

namespace ballast::cli {

[[nodiscard]] std::string inspect_text(const Catalog& catalog, bool all);
[[nodiscard]] Json inspect_json(const Catalog& catalog, bool all);

}  // namespace ballast::cli
