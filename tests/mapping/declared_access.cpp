#include <gtest/gtest.h>

#include "ballast/parameter.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

TEST(DeclaredAccess, AbsentOptionalDependencyIsAnErrorWhereItIsUsed) {
  const OptionalDependency absent;
  EXPECT_FALSE(absent.has_value());
  EXPECT_TRUE(fails_with([&] { (void)static_cast<Recipe>(absent); }, Errc::not_loaded, {"has_value()"}));
}

TEST(DeclaredAccess, DependencyOfNoParameterIsAnErrorWhereItIsUsed) {
  const Dependency unbound;
  EXPECT_TRUE(fails_with([&] { (void)unbound.shape(); }, Errc::not_loaded));
  EXPECT_TRUE(fails_with([&] { (void)unbound.dtype(); }, Errc::not_loaded));
}

}  // namespace
}  // namespace ballast::test
