// Tied weights: what is the same bytes is stored once.
#include <gtest/gtest.h>

#include "plan/small_model.hpp"

namespace ballast::test {
namespace {

Recipe unembed(const ModelContext& m, const Operands& o) { return m.transform_unembed(o[0][0]); }

// An embedding of [8, dim], of which this rank takes rows for the head.
SmallModel tied(std::uint64_t dim, std::uint64_t rank, std::uint64_t ranks) {
  SmallModel model;
  model.context.tp_rank = rank;
  model.context.tp_size = ranks;
  model.add("table", DType::F32, {8, dim});
  model.rest({kept("word_emb"), made(weight("word_unembed"), unembed)},
             {{{"table"}, {{"word_emb", "params"}, {"word_unembed", "params"}}, {}}});
  return model;
}

TEST(Ties, TheSameTensorIsStoredOnce) {
  const Plan plan = tied(3, 0, 1).plan();
  ASSERT_EQ(plan.tensors.size(), 2U);
  EXPECT_EQ(plan.tensors[0].alias_of, kNoIndex);
  EXPECT_EQ(plan.tensors[1].alias_of, 0U);
  EXPECT_EQ(plan.tensors[1].arena_offset, plan.tensors[0].arena_offset);
  EXPECT_EQ(plan.tensors[1].nbytes, 96U);
  EXPECT_EQ(plan.copies.size(), 1U);
  EXPECT_EQ(plan.bytes_placed, 96U);
  EXPECT_EQ(plan.bytes_needed, 96U);
}

TEST(Ties, AlignedRowsAreAPartOfTheOther) {
  const Plan plan = tied(64, 1, 2).plan();  // rows of 256 bytes
  EXPECT_EQ(plan.tensors.at(1).alias_of, 0U);
  EXPECT_EQ(plan.tensors[1].arena_offset, 4U * 256);
  EXPECT_EQ(plan.copies.size(), 1U);
}

TEST(Ties, RowsThatAreNotAlignedAreASecondCopy) {
  const Plan plan = tied(3, 1, 2).plan();
  EXPECT_EQ(plan.tensors.at(1).alias_of, kNoIndex);
  EXPECT_EQ(plan.tensors[1].arena_offset % kArenaAlignment, 0U);
  EXPECT_EQ(copies_into(plan, 1).at(0).src_begin, 12U);
  EXPECT_EQ(plan.bytes_placed, 96U + 48);
  EXPECT_EQ(plan.bytes_needed, 96U);  // read once all the same
  EXPECT_EQ(plan.groups.size(), 1U);
}

TEST(Ties, AnotherConversionIsAnotherTensor) {
  SmallModel model;
  model.add("table", DType::F32, {8, 64});
  model.rest(
      {kept("word_emb"),
       made(weight("word_unembed"), [](const ModelContext&, const Operands& o) { return cast(o[0][0], DType::BF16); })},
      {{{"table"}, {{"word_emb", "params"}, {"word_unembed", "params"}}, {}}});
  const Plan plan = model.plan();
  EXPECT_EQ(plan.tensors.at(1).alias_of, kNoIndex);
  EXPECT_EQ(plan.groups.size(), 1U);
  EXPECT_EQ(plan.bytes_needed, 2048U);
}

TEST(Ties, AnotherLayoutIsAnotherTensor) {
  SmallModel model;
  model.add("table", DType::F32, {8, 64});
  model.rest({kept("word_emb"), made(weight("word_unembed"),
                                     [](const ModelContext&, const Operands& o) { return transpose(o[0][0], 0, 1); })},
             {{{"table"}, {{"word_emb", "params"}, {"word_unembed", "params"}}, {}}});
  EXPECT_EQ(model.plan().tensors.at(1).alias_of, kNoIndex);
}

TEST(Ties, CustomOperationsAreNotCompared) {
  const Finalize mixed = [](const ModelContext&, const Operands& o) {
    return concat(0, o[0][0], custom("mix", o[0], {DType::F32, {8, 64}}, [](auto, auto) {}));
  };
  SmallModel model;
  model.add("table", DType::F32, {8, 64});
  model.rest({made(weight("a"), mixed), made(weight("b"), mixed)},
             {{{"table"}, {{"a", "params"}, {"b", "params"}}, {}}});
  const Plan plan = model.plan();
  EXPECT_EQ(plan.tensors.at(1).alias_of, kNoIndex);
  EXPECT_EQ(plan.steps.size(), 2U);
}

// A model whose config ties the head, in a file that holds it too; the head is declared first.
SmallModel tied_and_stored(std::uint64_t rank, std::uint64_t ranks, Finalize head = unembed) {
  SmallModel model;
  model.context.tie_word_embeddings = true;
  model.context.tp_rank = rank;
  model.context.tp_size = ranks;
  model.add("table", DType::F32, {8, 3});
  model.add("lm_head", DType::F32, {8, 3});
  model.add("norm", DType::F32, {3});
  model.rest({made(weight("word_unembed"), std::move(head)), kept("word_emb"), kept("final_norm")},
             {{{"table"}, {{"word_emb", "params"}}, {}},
              {{"lm_head"}, {{"word_unembed", "params"}}, {"table"}},
              {{"norm"}, {{"final_norm", "params"}}, {}}});
  return model;
}

TEST(Ties, AStoredHeadIsToBeCompared) {
  const Plan plan = tied_and_stored(0, 1).plan();
  ASSERT_EQ(plan.tied_pairs.size(), 1U);
  EXPECT_EQ(plan.tied_pairs[0].head, 0U);
  EXPECT_EQ(plan.tied_pairs[0].embedding, 1U);
  EXPECT_EQ(plan.tied_pairs[0].embedding_offset, 0U);
  EXPECT_EQ(plan.tensors[0].alias_of, kNoIndex);
}

TEST(Ties, ARanksPartIsComparedWithItsRows) {
  const Plan plan = tied_and_stored(1, 2).plan();
  ASSERT_EQ(plan.tied_pairs.size(), 1U);
  EXPECT_EQ(plan.tied_pairs[0].embedding_offset, 48U);
}

TEST(Ties, AHeadThatMayBeGivenBackIsPlacedLast) {
  const Plan plan = tied_and_stored(0, 1).plan();
  EXPECT_EQ(plan.tensors.at(1).arena_offset, 0U);
  EXPECT_EQ(plan.tensors[2].arena_offset, 256U);
  EXPECT_EQ(plan.tensors[0].arena_offset, 512U);
}

TEST(Ties, AHeadThatIsPartOfAnotherTensorIsNotCompared) {
  const Plan plan = tied_and_stored(0, 1, [](const ModelContext&, const Operands& o) {
                      return concat(0, o[0][0], cast(cast(o[0][0], DType::BF16), DType::F32));
                    }).plan();
  EXPECT_TRUE(plan.tied_pairs.empty());
}

TEST(Ties, AHeadInAnotherLayoutIsNotCompared) {
  const Plan plan =
      tied_and_stored(0, 1, [](const ModelContext&, const Operands& o) { return transpose(o[0][0], 0, 1); }).plan();
  EXPECT_TRUE(plan.tied_pairs.empty());
}

}  // namespace
}  // namespace ballast::test
