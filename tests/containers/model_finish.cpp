// The end of streaming into a model: all faults of all containers at once.
#include <gtest/gtest.h>

#include <stdexcept>

#include "containers/models.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(ModelFinish, ReportsWhatIsMissingFromAllContainersTogether) {
  Model model = model_of();
  hand_in(model, "layers.0.norm.weight", stored({1}, {1}));
  const std::string before = state_of(model);
  const auto error = error_of([&] { model.finish(); });
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"transformer_layer_0.qkv_w.q_params", "attn.q.weight"}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"transformer_layer_1.norm.params"}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"non_transformer.word_emb.params"}));
  EXPECT_EQ(error->total(), 3U + 4U + 3U);
  EXPECT_EQ(state_of(model), before);
}

TEST(ModelFinish, MayBeTriedAgain) {
  Model model = model_of();
  EXPECT_THROW(model.finish(), Error);
  hand_in_all(model);
  EXPECT_THROW(model.finish(), Error);
  hand_in(model, "head.weight", stored({1}, {1}));
  model.finish();
  EXPECT_TRUE(model.is_populated());
}

struct NoHead {
  Dependency params;
  Recipe finalize(const ModelContext&) const { throw std::runtime_error("the head does not fit"); }
};
struct FaultyRest {
  Parameter<Weight> word_emb;
  Parameter<NoHead> word_unembed;
  static constexpr auto param_mapping =
      mapping<FaultyRest>(from("embed.weight", to<&FaultyRest::word_emb, &Weight::params>),
                          from("head.weight", to<&FaultyRest::word_unembed, &NoHead::params>).tied_to("embed.weight"));
};

TEST(ModelFinish, ReportsATieThatCannotBeFilledWithTheRest) {
  auto context = std::make_shared<ModelContext>();
  context->tie_word_embeddings = true;
  context->n_experts = 1;
  Model model(context,
              ContainerMap().layers({"layers"}, schema_of<Layer>(), 1).non_transformer(schema_of<FaultyRest>()));
  hand_in(model, "embed.weight", stored({1}, {1}));
  const auto error = error_of([&] { model.finish(); });
  EXPECT_TRUE(has_fault(error, Errc::finalize_failed, {"non_transformer.word_unembed", "the head does not fit"}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"transformer_layer_0.norm.params"}));
}

}  // namespace
}  // namespace ballast::test
