// R27: a source name goes by exact name, then by list pattern, then by leading path; whole names, literal dots.
#include <gtest/gtest.h>

#include "mapping/schemas.hpp"

namespace ballast::reference {
namespace {

TEST(R27, ExactThenListThenLeadingPath) {
  const ContainerSchema schema =
      test::layer({test::weight("exact"), test::experts("list"), test::weight("path")},
                  {{"*.up", {"path.params"}}, {"experts.*.up", {"list.experts"}}, {"experts.0.up", {"exact.params"}}});
  EXPECT_EQ(schema.match_one("experts.0.up")->rule, 2U);
  EXPECT_EQ(schema.match_one("experts.1.up")->rule, 1U);
  EXPECT_EQ(schema.match_one("experts.1.up")->index, "1");
  EXPECT_EQ(schema.match_one("shared.up")->rule, 0U);
}

TEST(R27, NamesAreWholeAndDotsLiteral) {
  const ContainerSchema schema = test::layer({test::experts("moe")}, {{"experts.*.up", {"moe.experts"}}});
  for (const char* source : {"experts.1.up.x", "x.experts.1.up", "experts_1.up", "experts.1_up", "experts.1.2.up"})
    EXPECT_FALSE(schema.match_one(source)) << source;
}

}  // namespace
}  // namespace ballast::reference
