// R30: a wildcard on single targets is allowed, as a leading path.
#include <gtest/gtest.h>

#include "mapping/schemas.hpp"
#include "reference/declared.hpp"

namespace ballast::reference {
namespace {

struct AnyPath {
  Parameter<Weight> norm;
  static constexpr auto param_mapping = mapping<AnyPath>(from("*.norm.weight", to<&AnyPath::norm, &Weight::params>));
};

TEST(R30, WildcardOnSingleTargetsIsALeadingPath) {
  const ContainerSchema& schema = schema_of<AnyPath>();
  EXPECT_EQ(filled_by(schema, "model.norm.weight"), Targets{"norm.params"});
  EXPECT_EQ(filled_by(schema, "a.b.norm.weight"), Targets{"norm.params"});
  EXPECT_EQ(filled_by(schema, "norm.weight"), Targets{});
  EXPECT_FALSE(schema.match_one("model.norm.weight")->index);
}

}  // namespace
}  // namespace ballast::reference
