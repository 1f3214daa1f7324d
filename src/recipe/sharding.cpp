#include "ballast/sharding.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/error.hpp"

namespace ballast {

namespace {

[[noreturn]] void refuse(std::string what, std::string expected, std::string got) {
  Diagnostic d;
  d.code = Errc::invalid_sharding;
  d.operation = "shard";
  d.what = std::move(what);
  d.expected = std::move(expected);
  d.got = std::move(got);
  throw Error(std::move(d));
}

void check_rank(std::uint64_t rank, std::uint64_t ranks) {
  if (ranks == 0 || rank >= ranks)
    refuse("there is no such rank", ranks == 0 ? "at least one rank" : fmt::format("a rank below {}", ranks),
           fmt::format("rank {} of {}", rank, ranks));
}

bool heads_fit(std::uint64_t q, std::uint64_t kv, std::uint64_t ranks) {
  if (ranks > q) return false;
  if (q == kv) return true;
  return kv >= ranks ? kv % ranks == 0 : ranks % kv == 0;
}

// "1, 2, 4 or 8": the rank counts that a model of these heads can be cut into.
std::string working_counts(std::uint64_t q, std::uint64_t kv) {
  if (q == kv) return fmt::format("any number of ranks from 1 to {}", q);
  std::vector<std::string> counts;
  constexpr std::uint64_t kListed = 1024;  // no model is cut into more; bounds the time for an absurd config
  for (std::uint64_t ranks = 1; ranks <= std::min(q, kListed); ++ranks)
    if (heads_fit(q, kv, ranks)) counts.push_back(std::to_string(ranks));
  if (counts.size() == 1) return counts[0] + " rank";
  return fmt::format("{} or {} ranks", fmt::join(counts.begin(), counts.end() - 1, ", "), counts.back());
}

}  // namespace

Range shard_endpoints(std::uint64_t dim, std::uint64_t rank, std::uint64_t ranks, std::uint64_t granularity) {
  check_rank(rank, ranks);
  if (granularity == 0 || dim % granularity != 0)
    refuse(fmt::format("{} elements cannot be cut into whole chunks of {}", dim, granularity),
           granularity == 0 ? "a granularity of at least 1"
                            : fmt::format("a multiple of {}{}", granularity, ranks > 1 ? ", or 1 rank" : ""),
           ranks > 1 ? fmt::format("{} over {} ranks", dim, ranks) : fmt::format("{}", dim));
  const std::uint64_t chunks = dim / granularity;
  const std::uint64_t each = chunks / ranks;
  const std::uint64_t more = chunks % ranks;
  const std::uint64_t first = rank * each + std::min(rank, more);
  const std::uint64_t count = each + (rank < more ? 1 : 0);
  return {first * granularity, (first + count) * granularity};
}

HeadShard shard_heads(std::uint64_t heads_q, std::uint64_t heads_kv, std::uint64_t rank, std::uint64_t ranks) {
  check_rank(rank, ranks);
  if (heads_kv == 0 || heads_q % heads_kv != 0)
    refuse(fmt::format("{} query heads cannot share {} key/value heads evenly", heads_q, heads_kv),
           "query heads that are a multiple of key/value heads", fmt::format("{} and {}", heads_q, heads_kv));
  if (!heads_fit(heads_q, heads_kv, ranks))
    refuse(fmt::format("{} query and {} key/value heads cannot be divided over {} ranks", heads_q, heads_kv, ranks),
           working_counts(heads_q, heads_kv), fmt::format("{} ranks", ranks));
  if (heads_q == heads_kv) {
    const Range heads = shard_endpoints(heads_q, rank, ranks, 1);
    return {heads, heads};
  }
  if (heads_kv >= ranks) return {shard_endpoints(heads_q, rank, ranks, 1), shard_endpoints(heads_kv, rank, ranks, 1)};
  const std::uint64_t sharers = ranks / heads_kv;  // ranks that hold a copy of the same key/value head
  const std::uint64_t group = heads_q / heads_kv;
  const std::uint64_t kv = rank / sharers;
  const Range within = shard_endpoints(group, rank % sharers, sharers, 1);
  return {{kv * group + within.begin, kv * group + within.end}, {kv, kv + 1}};
}

}  // namespace ballast
