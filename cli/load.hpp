// What `ballast load` says of a loaded model.
#pragma once

#include <string>
#include <vector>

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

// One rank, or all of them (--tp-rank all), and what is known of how they came about.
struct Loaded {
  std::vector<LoadedModel> ranks;
  Digests digests;  // empty unless asked for
  std::uint64_t peak_bytes = 0;
};

[[nodiscard]] std::string load_text(const Loaded& loaded, const LoadCommandOptions& options);
// With `all_ranks` the document of several ranks, also where there is one.
[[nodiscard]] Json load_json(const Loaded& loaded, bool all_ranks);

}  // namespace ballast::cli
