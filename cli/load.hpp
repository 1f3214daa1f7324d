// What `ballast load` says of a loaded model.
#pragma once

#include <string>

#include "ballast/load.hpp"
#include "digests.hpp"
#include "json.hpp"
#include "options.hpp"

namespace ballast::cli {

struct LoadCommandOptions : CommonOptions {
  std::uint64_t threads = 0;
  bool digest = false;
  bool verbose = false;
};

// A model, and what is known of how it came about.
struct Loaded {
  LoadedModel model;
  Digests digests;  // empty unless asked for
  std::uint64_t peak_bytes = 0;
};

[[nodiscard]] std::string load_text(const Loaded& loaded, const LoadCommandOptions& options);
[[nodiscard]] Json load_json(const Loaded& loaded);

}  // namespace ballast::cli
