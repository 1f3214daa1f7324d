// For a report of several stages: bind() gives its faults, and a binding of what fits.
#include <gtest/gtest.h>

#include "mapping/bind_catalog.hpp"

namespace ballast::test {
namespace {

TEST(BindCollecting, GivesTheFaultsAndWhatFits) {
  const ContainerSchema schema = layer({qkv("qkv_w"), weight("up"), weight("norm")}, {{"q", {"qkv_w.q_params"}},
                                                                                      {"k", {"qkv_w.k_params"}},
                                                                                      {"v", {"qkv_w.v_params"}},
                                                                                      {"up", {"up.params"}},
                                                                                      {"norm", {"norm.params"}}});
  Diagnostics faults;
  const ContainerMap map = only(schema);
  const Binding binding = bind(catalog_of({"q", "up", "stray"}), map, {}, faults);
  EXPECT_EQ(faults.total(), 4U);  // a stray; k, v and norm are missing
  EXPECT_EQ(binding.containers[0].sources, (std::vector<std::uint32_t>{0, kUnbound, kUnbound, 1, kUnbound}));
  EXPECT_EQ(binding.containers[0].incomplete, (std::vector<std::uint32_t>{0, 2}));
}

TEST(BindCollecting, NothingIsIncompleteWhereNothingIsMissing) {
  const ContainerSchema schema = layer({weight("up")}, {{"up", {"up.params"}}});
  Diagnostics faults;
  const ContainerMap map = only(schema);
  EXPECT_TRUE(bind(catalog_of({"up", "stray"}), map, {}, faults).containers[0].incomplete.empty());
  EXPECT_EQ(faults.total(), 1U);
}

TEST(BindCollecting, AddsToFaultsThatAreThere) {
  const ContainerSchema schema = layer({weight("up")}, {{"up", {"up.params"}}});
  Diagnostics faults;
  faults.add({.code = Errc::io_read});
  const ContainerMap map = only(schema);
  (void)bind(catalog_of({}), map, {}, faults);
  EXPECT_EQ(faults.total(), 2U);
}

TEST(BindCollecting, QuantisedCheckpointIsStillThrown) {
  const ContainerSchema schema = layer({weight("up")}, {{"up", {"up.params"}}});
  Catalog catalog = catalog_of({"up"});
  catalog.config.emplace().quantisation = "gptq";
  Diagnostics faults;
  const ContainerMap map = only(schema);
  EXPECT_TRUE(fails_with([&] { (void)bind(catalog, map, {}, faults); }, Errc::quantised_checkpoint));
}

}  // namespace
}  // namespace ballast::test
