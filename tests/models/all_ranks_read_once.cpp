// All ranks in one pass read each byte of the files once: what all hold, what they cut in rows, and what in columns.
#include <gtest/gtest.h>
#include <sys/uio.h>

#include <cstring>
#include <mutex>
#include <vector>

#include "models/tiny_llama.hpp"

namespace ballast::test {
namespace {

TEST(AllRanksReadOnce, EveryByteOfTheWeights) {
  const TempFolder folder;
  TinyLlama().write(folder);
  LoadOptions options;
  options.tp_size = 4;
  PreparedRanks prepared = prepare_ranks(folder.path(), options);
  const Catalog& catalog = *prepared.ranks[0].catalog;
  std::vector<int> times(catalog.files[0].file_bytes);
  std::mutex mutex;
  options.execute.preadv = [&](int fd, const ::iovec* parts, int count, std::uint64_t offset) -> long {
    const long got = ::preadv(fd, parts, count, static_cast<off_t>(offset));
    const std::lock_guard lock(mutex);
    for (long i = 0; i < got; ++i) ++times[offset + static_cast<std::uint64_t>(i)];
    return got;
  };
  const std::uint64_t needed = prepared.reads.bytes_needed;
  EXPECT_EQ(needed, catalog.tensor_bytes());
  const std::vector<LoadedModel> ranks = load_ranks(std::move(prepared), options.execute);
  EXPECT_EQ(ranks[0].report().execute.bytes_read, needed);
  for (std::size_t i = 0; i < times.size(); ++i)
    ASSERT_EQ(times[i], i < catalog.tensors[0].offset ? 0 : 1) << "byte " << i;
}

// Of the tensors that the ranks share each has its own copy: nothing of one rank lies in another's arena.
TEST(AllRanksReadOnce, EachRankHasItsOwnMemory) {
  const TempFolder folder;
  LoadOptions options;
  options.tp_size = 2;
  const std::vector<LoadedModel> ranks = load_ranks(TinyLlama().write(folder), options);
  for (const LoadedModel& loaded : ranks)
    for (const LayerContainer& container : loaded.model().containers())
      for (const ParameterState& parameter : container.parameters()) {
        const auto* data = parameter.tensor().as<std::byte>();
        EXPECT_GE(data, loaded.arena().data());
        EXPECT_LE(data + parameter.tensor().nbytes(), loaded.arena().data() + loaded.arena().size());
      }
}

// A rank outlives the others.
TEST(AllRanksReadOnce, ARankMayBeKeptAlone) {
  const TempFolder folder;
  LoadOptions options;
  options.tp_size = 2;
  std::vector<LoadedModel> ranks = load_ranks(TinyLlama().write(folder), options);
  const LoadedModel kept = std::move(ranks[1]);
  ranks.clear();
  options.tp_rank = 1;
  const LoadedModel alone = load(folder.path(), options);
  EXPECT_EQ(kept.catalog().path, folder.path());
  EXPECT_EQ(std::memcmp(kept.arena().data(), alone.arena().data(), alone.arena().size()), 0);
}

}  // namespace
}  // namespace ballast::test
