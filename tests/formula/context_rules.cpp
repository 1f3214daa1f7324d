// How a model's numbers are read by rules, and what is said where they cannot be.
#include <gtest/gtest.h>

#include "ballast/policy_rules.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

ModelConfig config(const std::string& more = "") {
  return parse_model_config(
      R"({"model_type": "x", "hidden_size": 48, "num_hidden_layers": 2, "num_attention_heads": 6)" + more + "}",
      "config.json");
}

ModelConfig gguf(std::vector<Value::Member> members) {
  members.emplace_back("general.architecture", Value(std::string("x")));
  for (const auto& [key, value] : std::initializer_list<std::pair<const char*, std::int64_t>>{
           {"x.embedding_length", 48}, {"x.block_count", 2}, {"x.attention.head_count", 6}})
    members.emplace_back(key, Value(value));
  return model_config_from_gguf(Value(Value::Object(std::move(members))), "x.gguf");
}

TEST(ContextRules, NoneIsTheUsualReading) {
  const ModelContext m = ContextRules().evaluate(config());
  EXPECT_EQ(m.n_heads_kv, 6U);
  EXPECT_EQ(m.head_size, 8U);
  EXPECT_TRUE(m.extra.empty());
}

TEST(ContextRules, OwnNumbersListsAndConditions) {
  const ContextRules rules{{"lora", "config.q_lora_rank ?? gguf.attention.q_lora_rank ?? 0"},
                           {"dense", "config.mlp_only_layers ?? []"},
                           {"has_norm", "config.use_qk_norm ?? false"},
                           {"wide", "2 * lora + model_dim"}};
  const ModelContext m =
      rules.evaluate(config(R"(, "q_lora_rank": 5, "mlp_only_layers": [1, 3], "use_qk_norm": true)"));
  EXPECT_EQ(m.extra.at("lora"), 5U);
  EXPECT_EQ(m.lists.at("dense"), (std::vector<std::uint64_t>{1, 3}));
  EXPECT_EQ(m.extra.at("has_norm"), 1U);
  EXPECT_EQ(m.extra.at("wide"), 58U);
  const ModelContext of_gguf = rules.evaluate(gguf({{"x.attention.q_lora_rank", Value(std::int64_t{9})}}));
  EXPECT_EQ(of_gguf.extra.at("lora"), 9U);
  EXPECT_TRUE(of_gguf.lists.at("dense").empty());
}

TEST(ContextRules, UsualNumbersInAnotherWay) {
  const ContextRules rules{{"n_heads_kv", "config.multi_query ?? false ? 1 : n_heads"},
                           {"intermediate_dim", "intermediate_dim / 2"},
                           {"head_size", "head_size ?? 16"},
                           {"tie_word_embeddings", "tie_word_embeddings ?? true"},
                           {"tie_absent_head", "from_gguf"}};
  const ModelContext m = rules.evaluate(config(R"(, "multi_query": true, "intermediate_size": 64)"));
  EXPECT_EQ(m.n_heads_kv, 1U);
  EXPECT_EQ(m.intermediate_dim, 32U);
  EXPECT_EQ(m.head_size, 16U);
  EXPECT_TRUE(m.tie_word_embeddings);
  EXPECT_FALSE(m.tie_absent_head);
  const ModelContext other = rules.evaluate(config(R"(, "head_dim": 4, "tie_word_embeddings": false)"));
  EXPECT_EQ(other.n_heads_kv, 6U);
  EXPECT_EQ(other.intermediate_dim, 0U);
  EXPECT_EQ(other.head_size, 4U);
  EXPECT_FALSE(other.tie_word_embeddings);
  EXPECT_TRUE(rules.evaluate(gguf({})).tie_absent_head);
}

// Defaults follow from what the rules say, not from what the config says.
TEST(ContextRules, TheUsualDefaultsComeAfterwards) {
  const ContextRules rules{
      {"model_dim", "model_dim ?? config.n_embed"}, {"n_heads", "n_heads ?? 8"}, {"rows", "n_heads_kv * head_size"}};
  const ModelContext m =
      rules.evaluate(parse_model_config(R"({"n_embed": 64, "num_hidden_layers": 1})", "config.json"));
  EXPECT_EQ(m.model_dim, 64U);
  EXPECT_EQ(m.n_heads_kv, 8U);
  EXPECT_EQ(m.head_size, 8U);
  EXPECT_EQ(m.extra.at("rows"), 64U);
}

TEST(ContextRules, TextConfigCountsWhereTheConfigIsSilent) {
  const ContextRules rules{{"a", "config.a"}, {"b", "config.b"}};
  const ModelContext m = rules.evaluate(config(R"(, "a": 1, "text_config": {"a": 2, "b": 3})"));
  EXPECT_EQ(m.extra.at("a"), 1U);
  EXPECT_EQ(m.extra.at("b"), 3U);
}

TEST(ContextRules, AllFaultsTogether) {
  const ContextRules rules{{"a", "config.a"}, {"b", "1 / 0"}, {"c", "d"}, {"d", "c"}, {"e", "a + 1"}, {"f", "x"}};
  const auto error = error_of([&] { (void)rules.evaluate(parse_model_config("{}", "config.json")); });
  EXPECT_TRUE(has_fault(error, Errc::context_invalid, {"a: the config does not say 'a'", "config.json"}));
  EXPECT_TRUE(has_fault(error, Errc::context_invalid, {"b: a division by zero"}));
  EXPECT_TRUE(has_fault(error, Errc::formula_invalid, {"the rule needs its own result"}));
  EXPECT_TRUE(has_fault(error, Errc::formula_invalid, {"f: there is no 'x'"}));
  EXPECT_TRUE(has_fault(error, Errc::context_invalid, {"the config does not say hidden_size"}));
  EXPECT_EQ(count_faults(error, Errc::context_invalid), 5U) << "of 'e' nothing more is said";
}

TEST(ContextRules, NumbersAreBounded) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)ContextRules{{"a", "4294967296"}}.evaluate(config());
      },
      Errc::context_invalid, {"a: the number is absurd"}));
  EXPECT_TRUE(fails_with(
      [] {
        (void)ContextRules{{"a", "['x']"}}.evaluate(config());
      },
      Errc::context_invalid, {"something other than numbers"}));
  EXPECT_TRUE(fails_with([] { (void)ContextRules{{"a", "'x'"}}.evaluate(config()); }, Errc::context_invalid));
}

TEST(ContextRules, LaterRulesOfANameReplaceEarlierOnes) {
  const ContextRules base{{"a", "1"}, {"b", "2"}};
  const ModelContext m = base.with({{"b", "a + 2"}, {"c", "b"}}).evaluate(config());
  EXPECT_EQ(m.extra.at("b"), 3U);
  EXPECT_EQ(m.extra.at("c"), 3U);
  EXPECT_EQ(base.rules().size(), 2U);
}

}  // namespace
}  // namespace ballast::test
