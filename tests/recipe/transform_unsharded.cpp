#include <gtest/gtest.h>

#include "recipe/recipes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(TransformEmbedding, IsWholeOnEveryRank) {
  EXPECT_EQ(on_every_rank(context(), 3,
                          [](const ModelContext& m) {
                            return m.transform_embedding(stored({100, 48}));
                          }),
            (std::vector<Shape>(3, {100, 48})));
}

TEST(TransformEmbedding, MayBePaddedBeyondTheVocabulary) {
  ModelContext m = context();
  m.vocab_size = 99;
  EXPECT_EQ(m.transform_embedding(stored({100, 48})).shape(), (Shape{100, 48}));
}

TEST(TransformEmbedding, RefusesWhatTheConfigDoesNotExplain) {
  ModelContext m = context();
  m.vocab_size = 101;
  EXPECT_TRUE(fails_with(
      [&] {
        (void)m.transform_embedding(stored({100, 48}));
      },
      Errc::shape_mismatch,
      {"the embedding", "expected: at least 101 along axis 0 (the vocabulary)", "got:      [100, 48]"}));
  EXPECT_TRUE(fails_with(
      [&] {
        (void)m.transform_embedding(stored({101, 40}));
      },
      Errc::shape_mismatch, {"expected: 48 along axis 1 (the model dimension)"}));
}

TEST(TransformNorm, IsWholeOnEveryRank) {
  EXPECT_EQ(on_every_rank(context(), 3, [](const ModelContext& m) { return m.transform_norm(stored({48})); }),
            (std::vector<Shape>(3, {48})));
}

TEST(TransformUnembed, CutsRowsOneByOne) {
  EXPECT_EQ(on_every_rank(context(), 3,
                          [](const ModelContext& m) {
                            return m.transform_unembed(stored({100, 48}));
                          }),
            (std::vector<Shape>{{34, 48}, {33, 48}, {33, 48}}));
  EXPECT_EQ(context(8, 8).transform_unembed(stored({100, 48})).shape(), (Shape{100, 48}));
}

TEST(ActivationDtype, IsThatOfTheContextForFloatingWeights) {
  ModelContext m;
  m.dtype = DType::BF16;
  EXPECT_EQ(m.to_activation_dtype(stored({64}, DType::F32)).dtype(), DType::BF16);
  EXPECT_EQ(m.to_activation_dtype(stored({64}, DType::Q8_0)).dtype(), DType::BF16);
}

TEST(ActivationDtype, LeavesPlainWeightsAsStoredWhereTheContextNamesNone) {
  const ModelContext m;
  EXPECT_EQ(m.to_activation_dtype(stored({64}, DType::F32)).dtype(), DType::F32);
  EXPECT_EQ(m.to_activation_dtype(stored({64}, DType::BF16)).dtype(), DType::BF16);
}

TEST(ActivationDtype, OfBlockQuantisedWeightsIsF16WhereTheContextNamesNone) {
  EXPECT_EQ(ModelContext().to_activation_dtype(stored({64}, DType::Q4_0)).dtype(), DType::F16);
}

TEST(ActivationDtype, LeavesIntegersAlone) {
  ModelContext m;
  m.dtype = DType::BF16;
  EXPECT_EQ(m.to_activation_dtype(stored({64}, DType::I64)).dtype(), DType::I64);
}

TEST(ActivationDtype, RefusesBlockTypesWhoseValuesAreNotKnown) {
  EXPECT_TRUE(fails_with([] { (void)ModelContext().to_activation_dtype(stored({256}, DType::Q4_K)); },
                         Errc::dtype_unsupported, {"Q4_K"}));
}

}  // namespace
}  // namespace ballast::test
