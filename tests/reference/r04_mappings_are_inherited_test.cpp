// R4: mappings of base classes are merged into the child's; the child's rules win.
#include <gtest/gtest.h>

#include "reference/declared.hpp"

namespace ballast::reference {
namespace {

struct Child : Layer {
  Parameter<Weight> attn_out_b;
  static constexpr auto param_mapping =
      mapping<Child>(inherits<Layer>, from("attn.proj.weight", to<&Child::attn_out_w, &Weight::params>),
                     from("attn.proj.bias", to<&Child::attn_out_b, &Weight::params>));
};

TEST(R04, MappingsOfBaseClassesAreMerged) {
  EXPECT_EQ(filled_by(schema_of<Child>(), "self_attn.q_proj.weight"), Targets{"qkv_w.q_params"});
  EXPECT_EQ(filled_by(schema_of<Child>(), "attn.proj.bias"), Targets{"attn_out_b.params"});
}

TEST(R04, RulesOfTheChildWin) {
  EXPECT_EQ(filled_by(schema_of<Child>(), "attn.proj.weight"), Targets{"attn_out_w.params"});
  EXPECT_EQ(filled_by(schema_of<Child>(), "self_attn.o_proj.weight"), Targets{});
}

}  // namespace
}  // namespace ballast::reference
