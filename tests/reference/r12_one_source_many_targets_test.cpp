// R12: one source may fill several targets, also across parameters (tied embeddings).
#include <gtest/gtest.h>

#include "reference/declared.hpp"

namespace ballast::reference {
namespace {

struct Tied {
  Parameter<Weight> word_emb, word_unembed;
  static constexpr auto param_mapping = mapping<Tied>(
      from("embed_tokens.weight", to<&Tied::word_emb, &Weight::params>, to<&Tied::word_unembed, &Weight::params>));
};

TEST(R12, OneSourceMayFillSeveralTargets) {
  EXPECT_EQ(filled_by(schema_of<Tied>(), "embed_tokens.weight"), (Targets{"word_emb.params", "word_unembed.params"}));
}

}  // namespace
}  // namespace ballast::reference
