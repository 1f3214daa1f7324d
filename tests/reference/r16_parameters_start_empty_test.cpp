// R16: each parameter is created empty with its container and knows model and container, without owning cycles.
#include <gtest/gtest.h>

#include "ballast/container.hpp"
#include "reference/declared.hpp"

namespace ballast::reference {
namespace {

TEST(R16, ParametersAreCreatedEmptyAndKnowModelAndContainer) {
  const auto model = std::make_shared<ModelContext>();
  model->n_experts = 2;
  const LayerContainer container(schema_of<Layer>(), model, "transformer_layer_3");
  EXPECT_EQ(container.n_finalised(), 0U);
  ASSERT_EQ(container.parameters().size(), 3U);
  for (const ParameterState& parameter : container.parameters()) {
    EXPECT_FALSE(parameter.is_finalised());
    EXPECT_EQ(&parameter.model(), model.get());
    EXPECT_EQ(parameter.container_name(), "transformer_layer_3");
  }
}

TEST(R16, NothingKeepsTheModelAliveWhenTheContainerIsGone) {
  const auto model = std::make_shared<ModelContext>();
  model->n_experts = 2;
  { const LayerContainer container(schema_of<Layer>(), model, "transformer_layer_0"); }
  EXPECT_EQ(model.use_count(), 1);
}

}  // namespace
}  // namespace ballast::reference
