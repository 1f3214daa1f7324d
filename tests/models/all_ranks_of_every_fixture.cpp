// Every fixture checkpoint, all ranks in one pass: each rank is as it was worked out independently, and no byte is read
// twice.
#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "models/expected.hpp"

namespace ballast::test {
namespace {

class AllRanksOfEveryFixture : public testing::TestWithParam<std::string> {};

TEST_P(AllRanksOfEveryFixture, AreAsExpected) {
  const std::string path = checkpoint_path(GetParam());
  const Catalog catalog = open_checkpoint(path);
  std::map<std::pair<std::uint64_t, std::string>, std::vector<Case>> together;  // by ranks and dtype
  for (Case& one : read_expected(GetParam()).cases) together[{one.tp_size, one.dtype}].push_back(std::move(one));
  std::size_t whole = 0;
  for (const auto& [key, cases] : together) {
    if (cases.size() != key.first) continue;
    ++whole;
    for (const unsigned threads : {1U, 3U}) {
      SCOPED_TRACE(fmt::format("all {} as {}, {} threads", key.first, key.second, threads));
      LoadOptions options = cases.front().options();
      options.tp_rank = 7;  // does not apply
      options.execute.threads = threads;
      const std::vector<LoadedModel> ranks = load_ranks(path, options);
      ASSERT_EQ(ranks.size(), key.first);
      for (const Case& one : cases) {
        const LoadedModel& loaded = ranks[one.tp_rank];
        EXPECT_EQ(loaded.context().tp_rank, one.tp_rank);
        EXPECT_EQ(differences(tensors_of(loaded.model()), one.tensors), "");
        EXPECT_TRUE(loaded.model().is_initialized());
        EXPECT_TRUE(loaded.report().warnings.empty());
        EXPECT_EQ(loaded.report().execute.bytes_read, loaded.report().bytes_needed);
      }
      EXPECT_LE(ranks[0].report().bytes_needed, catalog.tensor_bytes());
    }
  }
  EXPECT_GE(whole, 5U);
}

INSTANTIATE_TEST_SUITE_P(All, AllRanksOfEveryFixture, testing::ValuesIn(checkpoint_names()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace ballast::test
