// R3: parameters of base classes are inherited; a child's own declaration wins over its base's.
#include <gtest/gtest.h>

#include "reference/declared.hpp"

namespace ballast::reference {
namespace {

struct Child : Layer {
  Parameter<Weight> attn_out_w;  // declared anew
  Parameter<Weight> attn_out_b;
  static constexpr auto param_mapping =
      mapping<Child>(inherits<Layer>, from("self_attn.o_proj.bias", to<&Child::attn_out_b, &Weight::params>));
};
struct FusedChild : Layer {
  Parameter<Weight> qkv_w;
  static constexpr auto param_mapping =
      mapping<FusedChild>(inherits<Layer>, from("self_attn.qkv.weight", to<&FusedChild::qkv_w, &Weight::params>));
};

TEST(R03, ParametersOfBaseClassesAreInherited) {
  const ContainerSchema& schema = schema_of<Child>();
  EXPECT_EQ(schema.n_params(), 4U);
  for (const char* name : {"qkv_w", "attn_out_w", "moe_mlp_1", "attn_out_b"}) EXPECT_TRUE(schema.find(name)) << name;
}

TEST(R03, OwnDeclarationWins) {
  const ContainerSchema& schema = schema_of<FusedChild>();
  ASSERT_EQ(schema.n_params(), 3U);
  EXPECT_EQ(schema.parameters()[*schema.find("qkv_w")].type, "Weight");
}

}  // namespace
}  // namespace ballast::reference
