// R2: a parameter is declared as a struct of dependencies with a finalize recipe.
#include <gtest/gtest.h>

#include "reference/declared.hpp"

namespace ballast::reference {
namespace {

TEST(R02, ParameterIsAStructOfDependenciesWithAFinalizeRecipe) {
  const ParameterSchema& qkv = schema_of<Layer>().parameters()[0];
  ASSERT_EQ(qkv.dependencies.size(), 3U);
  EXPECT_EQ(qkv.dependencies[0].name, "q_params");
  EXPECT_EQ(qkv.dependencies[1].name, "k_params");
  EXPECT_EQ(qkv.dependencies[2].name, "v_params");

  const std::vector<Recipe> q{Recipe::source(0, 0, {DType::BF16, {8, 4}})},
      kv{Recipe::source(1, 0, {DType::BF16, {2, 4}})};
  const std::vector<std::span<const Recipe>> operands{q, kv, kv};
  EXPECT_EQ(qkv.finalize(ModelContext(), Operands(operands)).spec(), (TensorSpec{DType::BF16, {12, 4}}));
}

}  // namespace
}  // namespace ballast::reference
