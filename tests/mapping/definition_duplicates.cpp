#include <gtest/gtest.h>

#include "mapping/schemas.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(DefinitionDuplicates, ParameterDeclaredTwice) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)layer({weight("norm"), weight("norm")}, {{"w", {"norm.params"}}});
      },
      Errc::duplicate_parameter, {"layer", "parameter 'norm' is declared twice"}));
}

TEST(DefinitionDuplicates, DependencyDeclaredTwice) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)layer({parameter("norm", {single("params"), single("params")})}, {{"w", {"norm.params"}}});
      },
      Errc::duplicate_parameter, {"dependency 'params' of parameter 'norm' is declared twice"}));
}

TEST(DefinitionDuplicates, AreFaultsAlsoWithoutAMapping) {
  EXPECT_TRUE(fails_with([] { (void)layer({weight("norm"), weight("norm")}, {}); }, Errc::duplicate_parameter));
}

}  // namespace
}  // namespace ballast::test
