#pragma once

#include <string>
#include <vector>

#include "ballast/catalog.hpp"

namespace ballast::test {

// The names of the tensors, in the catalog's order.
[[nodiscard]] inline std::vector<std::string> names_of(const Catalog& catalog) {
  std::vector<std::string> names;
  for (const TensorInfo& tensor : catalog.tensors) names.push_back(tensor.name);
  return names;
}

// The last components of the paths of the files, in the catalog's order.
[[nodiscard]] inline std::vector<std::string> files_of(const Catalog& catalog) {
  std::vector<std::string> names;
  for (const CatalogFile& file : catalog.files) names.push_back(file.path.substr(file.path.rfind('/') + 1));
  return names;
}

}  // namespace ballast::test
