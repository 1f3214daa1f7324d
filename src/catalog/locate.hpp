// From the path that a person gives to the files of a checkpoint.
#pragma once

#include <string>
#include <vector>

namespace ballast::catalog {

// Either an index or weight files. They have been seen by name only; nothing is opened.
struct Location {
  std::string folder;              // where config.json is looked for
  std::string index;               // path of the index; empty where there is none
  std::vector<std::string> files;  // paths of the weight files; empty where there is an index
};

// Throws Error(invalid_argument | io_open | no_weights): after it there is something to open.
[[nodiscard]] Location locate(const std::string& path);

}  // namespace ballast::catalog
