// R26: direct_injection sets a finalised parameter by name; an unknown name is an error, and so is twice.
#include <gtest/gtest.h>

#include "containers/streaming.hpp"
#include "support/faults.hpp"

namespace ballast::reference {
namespace {

TEST(R26, DirectInjectionSetsAFinalisedParameterByName) {
  LayerContainer container = test::container_of();
  const test::Stored one = test::stored({1}, {4});
  container.direct_injection("norm", {one.tensor, one.owner});
  EXPECT_TRUE(container["norm"].is_finalised());
  EXPECT_EQ(container["norm"].tensor().data, one.tensor.data);
}

TEST(R26, UnknownNameIsAnErrorAndSoIsTwice) {
  LayerContainer container = test::container_of();
  EXPECT_TRUE(test::fails_with([&] { container.direct_injection("nrom", {}); }, Errc::unknown_parameter, {"'nrom'"}));
  container.direct_injection("norm", {});
  EXPECT_TRUE(test::fails_with([&] { container.direct_injection("norm", {}); }, Errc::already_finalised, {"'norm'"}));
}

}  // namespace
}  // namespace ballast::reference
