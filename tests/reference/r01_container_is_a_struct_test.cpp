// R1: a container is declared as a struct of typed parameters.
#include <gtest/gtest.h>

#include "reference/declared.hpp"

namespace ballast::reference {
namespace {

TEST(R01, ContainerIsDeclaredAsAStructOfTypedParameters) {
  const ContainerSchema& schema = schema_of<Layer>();
  EXPECT_EQ(schema.name(), "Layer");
  ASSERT_EQ(schema.n_params(), 3U);
  EXPECT_EQ(schema.parameters()[0].name, "qkv_w");
  EXPECT_EQ(schema.parameters()[0].type, "UnfusedQkv");
  EXPECT_EQ(schema.parameters()[1].name, "attn_out_w");
  EXPECT_EQ(schema.parameters()[1].type, "Weight");
  EXPECT_EQ(schema.parameters()[2].name, "moe_mlp_1");
}

}  // namespace
}  // namespace ballast::reference
