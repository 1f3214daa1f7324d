// R36: all tensors lie in one buffer, each at a multiple of 256 bytes; aliases and parameters that hold nothing are
// kept, ties are stored once.
#include <gtest/gtest.h>

#include <set>

#include "ballast/models/llama.hpp"
#include "models/expected.hpp"

namespace ballast::reference {
namespace {

TEST(R36, TensorsLieInOneBufferAlignedAndApart) {
  LoadOptions options;
  options.tp_size = 2;
  options.tp_rank = 1;
  const LoadedModel loaded = load(test::checkpoint_path("bert_f32"), options);
  std::set<std::pair<std::ptrdiff_t, std::ptrdiff_t>> places;
  std::size_t nothing = 0;
  for (const LayerContainer& container : loaded.model().containers())
    for (const ParameterState& parameter : container.parameters()) {
      if (!parameter.value().has_tensor()) {
        ++nothing;
        continue;
      }
      const std::ptrdiff_t begin = parameter.tensor().as<std::byte>() - loaded.arena().data();
      EXPECT_EQ(begin % 256, 0) << parameter.name();
      places.emplace(begin, begin + static_cast<std::ptrdiff_t>(parameter.tensor().nbytes()));
    }
  EXPECT_EQ(nothing, 4U) << "two biases of each of two layers live on rank 0";
  std::ptrdiff_t end = 0;
  for (const auto& [first, last] : places) {
    EXPECT_GE(first, end);
    end = last;
  }
  EXPECT_LE(end, static_cast<std::ptrdiff_t>(loaded.arena().size()));
}

TEST(R36, TiesAreAliasesStoredOnce) {
  const auto model = load<models::LlamaPolicy>(test::checkpoint_path("llama_tied_f16"));
  const models::LlamaNonTransformer rest = model.non_transformer();
  EXPECT_EQ(rest.word_emb->data, rest.word_unembed->data);
  EXPECT_LT(model.arena().size(), model.report().bytes_loaded + 256 * model.plan().tensors.size());
}

}  // namespace
}  // namespace ballast::reference
