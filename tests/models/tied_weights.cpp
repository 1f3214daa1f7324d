// B8: a tied head is the embedding, stored once; a file that holds both is compared.
#include <gtest/gtest.h>

#include "ballast/models/llama.hpp"
#include "models/expected.hpp"
#include "models/tiny_llama.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

using models::LlamaPolicy;

TypedModel<LlamaPolicy> load_tiny(const TinyLlama& tiny, const LoadOptions& options = {}) {
  const TempFolder folder;
  return load<LlamaPolicy>(tiny.write(folder), options);
}

TEST(TiedWeights, AreOneTensor) {
  for (const char* name : {"llama_tied_f16", "llama_gguf_q8_0"}) {
    const auto model = load<LlamaPolicy>(checkpoint_path(name));
    const models::LlamaNonTransformer rest = model.non_transformer();
    EXPECT_EQ(rest.word_emb->data, rest.word_unembed->data) << name;
    std::uint64_t held = 0;
    for (const LayerContainer& container : model.model().containers())
      for (const ParameterState& parameter : container.parameters()) held += parameter.tensor().nbytes();
    EXPECT_EQ(model.report().bytes_loaded, held - rest.word_emb->nbytes()) << name;
    EXPECT_EQ(model.report().execute.bytes_read, model.plan().bytes_needed) << name;
  }
}

TEST(TiedWeights, HeldTwiceAlikeBecomeOneTensor) {
  TinyLlama tiny;
  tiny.tied = true;
  tiny.head_seed = 1;
  const auto model = load_tiny(tiny);
  const models::LlamaNonTransformer rest = model.non_transformer();
  EXPECT_EQ(rest.word_emb->data, rest.word_unembed->data);
  EXPECT_TRUE(model.report().warnings.empty());
  tiny.has_head = false;
  EXPECT_EQ(model.report().bytes_loaded, load_tiny(tiny).report().bytes_loaded);
}

TEST(TiedWeights, HeldTwiceAlikeBecomeOneTensorOnEveryRank) {
  TinyLlama tiny;
  tiny.tied = true;
  tiny.head_seed = 1;
  LoadOptions options;
  options.tp_size = 2;
  for (options.tp_rank = 0; options.tp_rank < 2; ++options.tp_rank) {
    const auto model = load_tiny(tiny, options);
    const models::LlamaNonTransformer rest = model.non_transformer();
    ASSERT_EQ(rest.word_unembed->shape, (Shape{4, 32}));
    EXPECT_EQ(rest.word_unembed->as<std::byte>(), rest.word_emb->as<std::byte>() + options.tp_rank * 4U * 32U * 2U);
  }
}

TEST(TiedWeights, HeldTwiceDifferentlyAreKeptAsStoredAndReported) {
  TinyLlama tiny;
  tiny.tied = true;
  const auto model = load_tiny(tiny);
  const models::LlamaNonTransformer rest = model.non_transformer();
  EXPECT_NE(digest(rest.word_emb), digest(rest.word_unembed));
  const std::string stored = fill_bytes(DType::BF16, {8, 32}, 2);
  EXPECT_EQ(digest(rest.word_unembed), sha256(std::as_bytes(std::span(stored))));
  ASSERT_EQ(model.report().warnings.size(), 1U);
  const Diagnostic& warning = model.report().warnings.front();
  EXPECT_EQ(warning.code, Errc::tied_weights_differ);
  const std::string text = to_string(warning);
  for (const char* part : {"non_transformer.word_unembed", "non_transformer.word_emb", "tie_word_embeddings"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(TiedWeights, AreThoseOfConfigsThatTie) {
  TinyLlama tiny;
  tiny.head_seed = 1;
  const auto model = load_tiny(tiny);
  const models::LlamaNonTransformer rest = model.non_transformer();
  EXPECT_NE(rest.word_emb->data, rest.word_unembed->data);
  EXPECT_EQ(digest(rest.word_emb), digest(rest.word_unembed));
  EXPECT_TRUE(model.report().warnings.empty());
}

TEST(TiedWeights, ThatAreMissingFromAConfigThatDoesNotTieAreNamed) {
  TinyLlama tiny;
  tiny.has_head = false;
  EXPECT_TRUE(fails_with([&] { (void)load_tiny(tiny); }, Errc::dependency_missing,
                         {"lm_head.weight", "non_transformer.word_unembed.params"}));
}

}  // namespace
}  // namespace ballast::test
