// From weight files to the catalog's tensors: headers are read, names are checked against the index or one another.
#pragma once

#include <string>
#include <vector>

#include "ballast/catalog.hpp"
#include "catalog/weight_index.hpp"

namespace ballast::catalog {

// Both fill `catalog.files`, `tensors` and `unindexed`, and add every fault of every file to `faults`. With faults the
// catalog is of no use.

// The index is the authority: a tensor is taken from the shard that it names, and from no other.
void read_indexed_files(const WeightIndex& index, const std::string& index_path, const HeaderLimits& limits,
                        Catalog& catalog, Diagnostics& faults);
// Without an index, a name must occur once in all of the files.
void read_files(const std::vector<std::string>& paths, const HeaderLimits& limits, Catalog& catalog,
                Diagnostics& faults);

}  // namespace ballast::catalog
