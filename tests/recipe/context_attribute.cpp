#include <gtest/gtest.h>

#include "recipe/recipes.hpp"

namespace ballast::test {
namespace {

TEST(ContextAttribute, FindsEveryNumberByName) {
  ModelContext m;
  m.model_dim = 1;
  m.n_layers = 2;
  m.n_heads = 3;
  m.n_heads_kv = 4;
  m.head_size = 5;
  m.intermediate_dim = 6;
  m.vocab_size = 7;
  m.n_experts = 8;
  m.max_positions = 9;
  m.type_vocab_size = 10;
  m.tp_size = 11;
  EXPECT_EQ(m.attribute("model_dim"), 1U);
  EXPECT_EQ(m.attribute("n_layers"), 2U);
  EXPECT_EQ(m.attribute("n_heads"), 3U);
  EXPECT_EQ(m.attribute("n_heads_kv"), 4U);
  EXPECT_EQ(m.attribute("head_size"), 5U);
  EXPECT_EQ(m.attribute("intermediate_dim"), 6U);
  EXPECT_EQ(m.attribute("vocab_size"), 7U);
  EXPECT_EQ(m.attribute("n_experts"), 8U);
  EXPECT_EQ(m.attribute("max_positions"), 9U);
  EXPECT_EQ(m.attribute("type_vocab_size"), 10U);
  EXPECT_EQ(m.attribute("tp_size"), 11U);
}

TEST(ContextAttribute, FindsWhatOneArchitectureAdds) {
  ModelContext m;
  m.extra["n_shared_experts"] = 2;
  EXPECT_EQ(m.attribute("n_shared_experts"), 2U);
}

TEST(ContextAttribute, KnowsNoOtherName) {
  const ModelContext m;
  EXPECT_FALSE(m.attribute("n_expertz"));
  EXPECT_FALSE(m.attribute("N_EXPERTS"));
  EXPECT_FALSE(m.attribute(""));
}

}  // namespace
}  // namespace ballast::test
