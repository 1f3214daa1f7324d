// R7: targets are member pointers; in data the text "parameter.dependency", and a missing dot is a named error.
#include <gtest/gtest.h>

#include "mapping/schemas.hpp"
#include "reference/declared.hpp"
#include "support/faults.hpp"

namespace ballast::reference {
namespace {

TEST(R07, TargetsAreMemberPointersOrTextWithADot) {
  EXPECT_EQ(filled_by(schema_of<Layer>(), "self_attn.o_proj.weight"), Targets{"attn_out_w.params"});
  const ContainerSchema made = test::layer({test::weight("attn_out_w")}, {{"o_proj", {"attn_out_w.params"}}});
  EXPECT_EQ(filled_by(made, "o_proj"), Targets{"attn_out_w.params"});
}

TEST(R07, TextWithoutADotIsANamedError) {
  EXPECT_TRUE(test::fails_with(
      [] {
        (void)test::layer({test::weight("attn_out_w")}, {{"o_proj", {"attn_out_w"}}});
      },
      Errc::malformed_target, {"'attn_out_w'", "no dot", "parameter.dependency"}));
}

}  // namespace
}  // namespace ballast::reference
