// Which part of a tensor each rank of a tensor-parallel group holds. The conventions are those of DeepSpeed's
// inference engine v2; shapes are [out, in].
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ballast/recipe.hpp"

namespace ballast {

struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  [[nodiscard]] constexpr std::uint64_t size() const noexcept { return end - begin; }
  friend constexpr bool operator==(const Range&, const Range&) = default;
};

// Whole chunks of `granularity`; the first (chunks % ranks) ranks take one more. A rank may get nothing. Throws
// Error(invalid_sharding) where rank >= ranks, ranks or granularity is 0, or `dim` is not a multiple of `granularity`.
[[nodiscard]] Range shard_endpoints(std::uint64_t dim, std::uint64_t rank, std::uint64_t ranks,
                                    std::uint64_t granularity = 32);

// Query and key/value heads of one rank, as ranges of whole heads.
struct HeadShard {
  Range q;
  Range kv;
};

// - heads_q == heads_kv (MHA): both by whole heads, uneven allowed.
// - heads_kv >= ranks (GQA): heads_kv must divide by ranks.
// - heads_kv < ranks: ranks must be a multiple of heads_kv; each key/value head is replicated over ranks / heads_kv
//   ranks, among which its query heads are divided by whole heads.
// Throws Error(invalid_sharding), naming the numbers and the rank counts that would work, where none of these fits,
// where heads_q is not a multiple of heads_kv, or where there are more ranks than query heads.
[[nodiscard]] HeadShard shard_heads(std::uint64_t heads_q, std::uint64_t heads_kv, std::uint64_t rank,
                                    std::uint64_t ranks);

}  // namespace ballast
