// The diagnostics of all ranks: what several have alike is said once.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "ballast/load.hpp"

namespace ballast {

namespace {

struct OfRanks {
  Diagnostic diagnostic;
  std::vector<std::uint64_t> ranks;  // ascending
};

// "rank 1 of 4", "ranks 0..2, 5 of 8", "all 4 ranks"
std::string text_of(const std::vector<std::uint64_t>& ranks, std::uint64_t n_ranks) {
  if (ranks.size() == n_ranks) return fmt::format("all {} ranks", n_ranks);
  std::vector<std::string> runs;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t n = 1;
    while (i + n < ranks.size() && ranks[i + n] == ranks[i] + n) ++n;
    runs.push_back(n == 1 ? std::to_string(ranks[i]) : fmt::format("{}..{}", ranks[i], ranks[i + n - 1]));
    i += n;
  }
  return fmt::format("rank{} {} of {}", ranks.size() == 1 ? "" : "s", fmt::join(runs, ", "), n_ranks);
}

}  // namespace

Diagnostics fold_ranks(std::span<const Diagnostics> of_ranks) {
  std::vector<OfRanks> distinct;
  std::map<std::string, std::size_t> known;  // by the whole text
  std::size_t not_kept = 0;
  for (std::uint64_t rank = 0; rank < of_ranks.size(); ++rank) {
    not_kept = std::max(not_kept, of_ranks[rank].total() - of_ranks[rank].kept().size());
    for (const Diagnostic& diagnostic : of_ranks[rank].kept()) {
      const auto [at, is_new] = known.emplace(to_string(diagnostic), distinct.size());
      if (is_new) distinct.push_back({diagnostic, {}});
      std::vector<std::uint64_t>& ranks = distinct[at->second].ranks;
      if (ranks.empty() || ranks.back() != rank) ranks.push_back(rank);
    }
  }
  Diagnostics folded;
  for (OfRanks& one : distinct) {
    // Names that do not fit are a fault of the checkpoint, whoever asks.
    const bool of_checkpoint = one.ranks.size() == of_ranks.size() && one.diagnostic.operation == "bind";
    if (of_ranks.size() > 1 && !of_checkpoint)
      one.diagnostic.what.insert(0, fmt::format("for {}: ", text_of(one.ranks, of_ranks.size())));
    folded.add(std::move(one.diagnostic));
  }
  for (std::size_t i = 0; i < not_kept; ++i) folded.add({});
  return folded;
}

}  // namespace ballast
