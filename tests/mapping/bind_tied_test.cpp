// B8: tied weights: what a missing head is tied to, and a head that is stored all the same.
#include <gtest/gtest.h>

#include "mapping/bind_catalog.hpp"

namespace ballast::test {
namespace {

struct Tied : testing::Test {
  Tied() { context.tie_word_embeddings = true; }
  const ContainerSchema rest{
      "rest",
      {weight("emb"), weight("head")},
      {any_of({"model.emb", "token_embd"}, "emb"), any_of({"lm_head", "output"}, "head", {"model.emb", "token_embd"})}};
  const ContainerMap map = ContainerMap().optional_root("root").non_transformer(rest);
  ModelContext context;
};

TEST_F(Tied, MissingHeadIsTheEmbedding) {
  for (const char* name : {"model.emb", "token_embd", "root.model.emb"}) {
    const Binding binding = bind_names({name}, map, context);
    EXPECT_EQ(binding.containers[0].sources, (std::vector<std::uint32_t>{0, 0})) << name;
    EXPECT_TRUE(binding.tied_and_stored.empty());
  }
}

TEST_F(Tied, MissingHeadOfAnUntiedModelIsMissing) {
  context.tie_word_embeddings = false;
  EXPECT_TRUE(has_fault(bind_error({"model.emb"}, map, context), Errc::dependency_missing,
                        {"\"lm_head\"", "tie_word_embeddings", "the file must hold it"}));
}

TEST_F(Tied, StoredHeadOfATiedModelIsNotedForComparison) {
  const Binding binding = bind_names({"lm_head", "model.emb"}, map, context);
  EXPECT_EQ(binding.containers[0].sources, (std::vector<std::uint32_t>{1, 0}));
  ASSERT_EQ(binding.tied_and_stored.size(), 1U);
  EXPECT_EQ(binding.tied_and_stored[0].head, 0U);
  EXPECT_EQ(binding.tied_and_stored[0].embedding, 1U);
}

TEST_F(Tied, StoredHeadOfAnUntiedModelIsNot) {
  context.tie_word_embeddings = false;
  EXPECT_TRUE(bind_names({"lm_head", "model.emb"}, map, context).tied_and_stored.empty());
}

// A GGUF file says that its head is tied by leaving it out.
TEST_F(Tied, HeadThatIsTiedWhereAbsent) {
  context.tie_word_embeddings = false;
  context.tie_absent_head = true;
  EXPECT_EQ(bind_names({"token_embd"}, map, context).containers[0].sources, (std::vector<std::uint32_t>{0, 0}));
  const Binding binding = bind_names({"output", "token_embd"}, map, context);
  EXPECT_EQ(binding.containers[0].sources, (std::vector<std::uint32_t>{1, 0}));
  EXPECT_TRUE(binding.tied_and_stored.empty());
}

TEST_F(Tied, BothMissingSaysSo) {
  const auto error = bind_error({}, map, context);
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"\"model.emb\""}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"\"lm_head\"", "tied to 'model.emb'", "missing too"}));
}

TEST_F(Tied, OneTensorMayFillSeveralParameters) {
  const ContainerSchema both = layer({weight("emb"), weight("head")}, {{"wte", {"emb.params", "head.params"}}});
  EXPECT_EQ(bind_names({"wte"}, only(both)).containers[0].sources, (std::vector<std::uint32_t>{0, 0}));
}

}  // namespace
}  // namespace ballast::test
