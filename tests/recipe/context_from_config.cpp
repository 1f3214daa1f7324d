#include <gtest/gtest.h>

#include "ballast/model_config.hpp"
#include "recipe/recipes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

ModelConfig config() {
  ModelConfig c;
  c.path = "model/config.json";
  c.model_type = "llama";
  c.model_dim = 576;
  c.n_layers = 30;
  c.n_heads = 9;
  return c;
}

TEST(ContextFromConfig, DefaultsWhatConfigsLeaveOut) {
  const ModelContext m = ModelContext::from_config(config());
  EXPECT_EQ(m.n_heads_kv, 9U) << "as many as query heads";
  EXPECT_EQ(m.head_size, 64U) << "the dimension by the heads";
  EXPECT_FALSE(m.tie_word_embeddings);
  EXPECT_EQ(m.tp_rank, 0U);
  EXPECT_EQ(m.tp_size, 1U);
  EXPECT_FALSE(m.dtype);
  EXPECT_EQ(m.gated_layout, GatedLayout::interleaved);
}

TEST(ContextFromConfig, TakesEveryNumber) {
  ModelConfig c = config();
  c.n_heads_kv = 3;
  c.head_size = 80;
  c.intermediate_dim = 1536;
  c.vocab_size = 49152;
  c.n_experts = 8;
  c.max_positions = 8192;
  c.type_vocab_size = 2;
  c.tie_word_embeddings = true;
  c.from_gguf = true;
  const ModelContext m = ModelContext::from_config(c);
  EXPECT_EQ(m.model_type, "llama");
  EXPECT_EQ(m.model_dim, 576U);
  EXPECT_EQ(m.n_layers, 30U);
  EXPECT_EQ(m.n_heads, 9U);
  EXPECT_EQ(m.n_heads_kv, 3U);
  EXPECT_EQ(m.head_size, 80U) << "heads times their size need not be the dimension";
  EXPECT_EQ(m.intermediate_dim, 1536U);
  EXPECT_EQ(m.vocab_size, 49152U);
  EXPECT_EQ(m.n_experts, 8U);
  EXPECT_EQ(m.max_positions, 8192U);
  EXPECT_EQ(m.type_vocab_size, 2U);
  EXPECT_TRUE(m.tie_word_embeddings);
  EXPECT_TRUE(m.from_gguf);
}

TEST(ContextFromConfig, NamesAbsentNumbersTogether) {
  ModelConfig c;
  c.path = "model/config.json";
  const auto error = error_of([&] { (void)ModelContext::from_config(c); });
  EXPECT_TRUE(has_fault(error, Errc::context_invalid, {"hidden_size", "model/config.json"}));
  EXPECT_TRUE(has_fault(error, Errc::context_invalid, {"num_hidden_layers", "expected: a positive number"}));
  EXPECT_TRUE(has_fault(error, Errc::context_invalid, {"num_attention_heads", "got:      nothing"}));
  EXPECT_EQ(error->total(), 3U);
}

TEST(ContextFromConfig, NamesAbsentNumbersOfGgufAsItDoes) {
  ModelConfig c;
  c.from_gguf = true;
  const auto error = error_of([&] { (void)ModelContext::from_config(c); });
  EXPECT_TRUE(has_fault(error, Errc::context_invalid, {"embedding_length"}));
  EXPECT_TRUE(has_fault(error, Errc::context_invalid, {"block_count"}));
  EXPECT_TRUE(has_fault(error, Errc::context_invalid, {"attention.head_count"}));
}

TEST(ContextFromConfig, ReportsAbsentAndContradictoryNumbersTogether) {
  ModelConfig c = config();
  c.n_layers = 0;
  c.n_heads_kv = 2;
  c.model_dim = 577;
  const auto error = error_of([&] { (void)ModelContext::from_config(c); });
  EXPECT_TRUE(has_fault(error, Errc::context_invalid, {"num_hidden_layers"}));
  EXPECT_TRUE(has_fault(error, Errc::context_invalid,
                        {"not a multiple of the heads", "expected: a multiple of 9", "got:      577"}));
  EXPECT_TRUE(has_fault(error, Errc::context_invalid,
                        {"expected: a number that divides 9 query heads", "got:      2 key/value heads"}));
  EXPECT_EQ(error->total(), 3U);
}

TEST(ContextFromConfig, NeedsNoDivisibleDimensionWhereTheHeadSizeIsGiven) {
  ModelConfig c = config();
  c.model_dim = 577;
  c.head_size = 64;
  EXPECT_EQ(ModelContext::from_config(c).head_size, 64U);
}

TEST(ContextFromConfig, RefusesMoreKeyValueThanQueryHeads) {
  ModelConfig c = config();
  c.n_heads_kv = 18;
  EXPECT_TRUE(
      fails_with([&] { (void)ModelContext::from_config(c); }, Errc::context_invalid, {"got:      18 key/value heads"}));
}

TEST(ContextFromConfig, RefusesAbsurdNumbers) {
  ModelConfig c = config();
  c.head_size = std::uint64_t{1} << 40;
  EXPECT_TRUE(
      fails_with([&] { (void)ModelContext::from_config(c); }, Errc::context_invalid, {"head_dim", "1099511627776"}));
}

TEST(ContextCheckRanks, RefusesARankThatIsNotThere) {
  ModelContext m = context(8, 8, 3, 4);
  EXPECT_NO_THROW(m.check_ranks());
  m.tp_rank = 4;
  EXPECT_TRUE(fails_with([&] { m.check_ranks(); }, Errc::invalid_sharding, {"rank 4 of 4"}));
  m.tp_size = 0;
  EXPECT_TRUE(fails_with([&] { m.check_ranks(); }, Errc::invalid_sharding, {"at least one rank"}));
}

}  // namespace
}  // namespace ballast::test
