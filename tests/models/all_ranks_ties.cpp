// Tied weights on every rank: a head that is the embedding is the memory of that rank's embedding.
#include <gtest/gtest.h>

#include "ballast/models/llama.hpp"
#include "models/expected.hpp"
#include "models/tiny_llama.hpp"

namespace ballast::test {
namespace {

using models::LlamaPolicy;

std::vector<TypedModel<LlamaPolicy>> ranks_of(const TinyLlama& tiny, std::uint64_t tp_size) {
  const TempFolder folder;
  LoadOptions options;
  options.tp_size = tp_size;
  return load_ranks<LlamaPolicy>(tiny.write(folder), options);
}

void expect_tied(const std::vector<TypedModel<LlamaPolicy>>& ranks) {
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const models::LlamaNonTransformer rest = ranks[r].non_transformer();
    ASSERT_EQ(rest.word_unembed->shape, (Shape{8 / ranks.size(), 32}));
    EXPECT_EQ(rest.word_unembed->as<std::byte>(), rest.word_emb->as<std::byte>() + r * rest.word_unembed->nbytes());
  }
}

TEST(AllRanksTies, OfAHeadThatIsNotStored) {
  TinyLlama tiny;
  tiny.tied = true;
  tiny.has_head = false;
  expect_tied(ranks_of(tiny, 2));
}

TEST(AllRanksTies, OfAHeadThatIsStoredAlike) {
  TinyLlama tiny;
  tiny.tied = true;
  tiny.head_seed = 1;
  const auto ranks = ranks_of(tiny, 2);
  expect_tied(ranks);
  tiny.has_head = false;
  EXPECT_EQ(ranks[1].report().bytes_loaded, ranks_of(tiny, 2)[1].report().bytes_loaded);
}

TEST(AllRanksTies, OfAHeadThatIsStoredDifferently) {
  TinyLlama tiny;
  tiny.tied = true;
  const std::string stored = fill_bytes(DType::BF16, {8, 32}, 2);
  const auto ranks = ranks_of(tiny, 2);
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    ASSERT_EQ(ranks[r].report().warnings.size(), 1U);
    EXPECT_EQ(ranks[r].report().warnings[0].code, Errc::tied_weights_differ);
    const std::string rows = stored.substr(r * stored.size() / 2, stored.size() / 2);
    EXPECT_EQ(digest(ranks[r].non_transformer().word_unembed), sha256(std::as_bytes(std::span(rows))));
  }
}

}  // namespace
}  // namespace ballast::test
