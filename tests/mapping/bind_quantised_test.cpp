// B9: a quantised config is refused by the name of its scheme.
#include <gtest/gtest.h>

#include "mapping/bind_catalog.hpp"

namespace ballast::test {
namespace {

TEST(Quantised, ConfigIsRefusedByTheNameOfItsScheme) {
  const ContainerSchema schema = layer({weight("up")}, {{"up", {"up.params"}}});
  for (const char* scheme : {"fp8", "gptq", "awq", "compressed-tensors", "bitsandbytes", "mxfp4", "unknown"}) {
    Catalog catalog = catalog_of({"up"});
    catalog.config.emplace();
    catalog.config->path = "/models/m/config.json";
    catalog.config->quantisation = scheme;
    const auto error = error_of([&] { (void)bind(catalog, only(schema), {}); });
    EXPECT_TRUE(has_fault(error, Errc::quantised_checkpoint,
                          {std::string("the checkpoint is quantised with '") + scheme + "'", "/models/m/config.json",
                           "plain weights", "use the original checkpoint"}));
    EXPECT_EQ(error->total(), 1U);  // what its names would be blamed for is left unsaid
  }
}

TEST(Quantised, SchemeNameIsMadePrintable) {
  const ContainerSchema schema = layer({weight("up")}, {{"up", {"up.params"}}});
  Catalog catalog = catalog_of({"up"});
  catalog.config.emplace();
  catalog.config->quantisation = "\x1b[2Jfp8";
  const auto error = error_of([&] { (void)bind(catalog, only(schema), {}); });
  ASSERT_TRUE(error);
  EXPECT_EQ(std::string(error->what()).find('\x1b'), std::string::npos);
}

TEST(Quantised, PlainConfigIsNot) {
  const ContainerSchema schema = layer({weight("up")}, {{"up", {"up.params"}}});
  Catalog catalog = catalog_of({"up"});
  catalog.config.emplace();
  EXPECT_EQ(bind(catalog, only(schema), {}).containers[0].sources[0], 0U);
}

}  // namespace
}  // namespace ballast::test
