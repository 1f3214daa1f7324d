// B8 for the streaming door: a head that never comes is the embedding, where the model ties them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "containers/models.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;

TEST(ModelTies, FillAHeadThatNeverComes) {
  Model model = model_of(true);
  hand_in_all(model);
  EXPECT_FALSE(model.is_populated());
  model.finish();
  EXPECT_TRUE(model.is_populated());
  EXPECT_THAT(values(model.non_transformer<Rest>().word_unembed), ElementsAre(5, 6));
}

TEST(ModelTies, GiveWayToAHeadThatComes) {
  for (const bool head_first : {false, true}) {
    Model model = model_of(true);
    if (head_first) hand_in(model, "head.weight", stored({1}, {8}));
    hand_in_all(model);
    if (!head_first) hand_in(model, "head.weight", stored({1}, {8}));
    model.finish();
    EXPECT_THAT(values(model.non_transformer<Rest>().word_unembed), ElementsAre(8));
  }
}

TEST(ModelTies, AreThoseOfModelsThatTie) {
  Model model = model_of(false);
  hand_in_all(model);
  EXPECT_TRUE(fails_with([&] { model.finish(); }, Errc::dependency_missing,
                         {"\"head.weight\"", "non_transformer.word_unembed.params"}));
}

TEST(ModelTies, KeepTheEmbeddingUntilTheHeadIsDecided) {
  Stored embedding = stored({1}, {5});
  const std::weak_ptr<const void> watched = embedding.owner;
  Model model = model_of(true);
  hand_in(model, "embed.weight", std::move(embedding));
  EXPECT_FALSE(watched.expired());
  hand_in(model, "head.weight", stored({1}, {8}));
  EXPECT_TRUE(watched.expired());
}

TEST(ModelTies, LetGoOfTheEmbeddingAtTheEnd) {
  Model model = model_of(true);
  hand_in_all(model);
  hand_in(model, "rotary.x", stored({1}, {1}));
  model.finish();
  Stored embedding = stored({1}, {5});
  const std::weak_ptr<const void> watched = embedding.owner;
  Model untied = model_of(false);
  hand_in(untied, "embed.weight", std::move(embedding));
  EXPECT_TRUE(watched.expired()) << "nothing is tied, nothing is kept";
}

TEST(ModelTies, CopyAnEmbeddingThatNobodyKeepsAlive) {
  Model model = model_of(true);
  std::vector<float> memory{5, 6};
  model.set_tensor("root.embed.weight", contiguous_tensor(memory.data(), DType::F32, {2, 1}));
  memory = {0, 0};  // the embedding is finalised, so its source is the caller's again
  EXPECT_THROW(model.finish(), Error);
  EXPECT_THAT(values(model.non_transformer<Rest>().word_unembed), ElementsAre(5, 6));
}

}  // namespace
}  // namespace ballast::test
