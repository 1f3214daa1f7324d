// R15: a container without mapping is allowed.
#include <gtest/gtest.h>

#include "mapping/schemas.hpp"
#include "reference/declared.hpp"

namespace ballast::reference {
namespace {

struct ByHand {
  Parameter<Weight> norm;
};

TEST(R15, ContainerWithoutMappingIsAllowed) {
  static_assert(well_mapped<ByHand>);
  EXPECT_FALSE(schema_of<ByHand>().has_mapping());
  EXPECT_FALSE(test::layer({test::weight("norm")}, {}).has_mapping());
}

}  // namespace
}  // namespace ballast::reference
