#include <gtest/gtest.h>

#include "mapping/schemas.hpp"

namespace ballast::test {
namespace {

using Kind = ContainerMap::RouteKind;

const ContainerSchema& block() {
  static const ContainerSchema schema = layer({weight("norm")}, {{"norm.weight", {"norm.params"}}});
  return schema;
}

ContainerMap twelve_layers() {
  ContainerMap map;
  map.layers({"model.layers", "blk"}, block(), 12).non_transformer(block());
  return map;
}

TEST(Routing, LayersByTheirNumber) {
  const ContainerMap map = twelve_layers();
  const auto route = map.route("model.layers.11.norm.weight");
  EXPECT_EQ(route.kind, Kind::layer);
  EXPECT_EQ(route.container, 11U);
  EXPECT_EQ(route.local, "norm.weight");
  EXPECT_EQ(map.n_layers(), 12U);
}

TEST(Routing, SeveralPrefixesAreAlternatives) {
  const auto route = twelve_layers().route("blk.3.norm.weight");
  EXPECT_EQ(route.kind, Kind::layer);
  EXPECT_EQ(route.container, 3U);
  EXPECT_EQ(route.local, "norm.weight");
}

TEST(Routing, PrefixesEndAtSegments) {
  const ContainerMap map = twelve_layers();
  for (const char* tensor : {"model.layers_norm.weight", "model.layers", "blk", "blkx.3.norm.weight",
                             "xmodel.layers.3.norm.weight", "model.layer.3.norm.weight"}) {
    const auto route = map.route(tensor);
    EXPECT_EQ(route.kind, Kind::rest) << tensor;
    EXPECT_EQ(route.local, tensor) << "the rest is known by its full name";
  }
}

TEST(Routing, NumbersOutsideTheModelAreBad) {
  const ContainerMap map = twelve_layers();
  for (const char* number : {"12", "999999999", "99999999999999999999999999"}) {
    const std::string tensor = std::string("model.layers.") + number + ".norm.weight";
    const auto route = map.route(tensor);
    EXPECT_EQ(route.kind, Kind::bad_layer) << tensor;
    EXPECT_EQ(route.index, number);
  }
}

TEST(Routing, WhatIsNoPlainNumberIsBad) {
  const ContainerMap map = twelve_layers();
  for (const char* number : {"-1", "+1", "01", "00", "1x", "x", " 1", "1 ", "0x1", "", "*"}) {
    const std::string tensor = std::string("model.layers.") + number + ".norm.weight";
    const auto route = map.route(tensor);
    EXPECT_EQ(route.kind, Kind::bad_layer) << tensor;
    EXPECT_EQ(route.index, number);
  }
}

TEST(Routing, NumberWithNothingAfterItIsBad) {
  EXPECT_EQ(twelve_layers().route("model.layers.3").kind, Kind::bad_layer);
  EXPECT_EQ(twelve_layers().route("model.layers.3.").kind, Kind::bad_layer);
}

TEST(Routing, ZeroIsALayer) { EXPECT_EQ(twelve_layers().route("model.layers.0.norm.weight").container, 0U); }

TEST(Routing, LayerGroupsAreCountedOn) {
  const ContainerSchema other = layer({weight("norm")}, {{"ln.weight", {"norm.params"}}});
  ContainerMap map;
  map.layers({"encoder"}, block(), 3).layers({"decoder"}, {&other, &block()});
  EXPECT_EQ(map.n_layers(), 5U);
  EXPECT_EQ(map.route("encoder.2.norm.weight").container, 2U);
  EXPECT_EQ(map.route("decoder.0.ln.weight").container, 3U);
  EXPECT_EQ(map.route("decoder.1.norm.weight").container, 4U);
  EXPECT_EQ(map.route("decoder.2.norm.weight").kind, Kind::bad_layer);
  EXPECT_EQ(map.layer_groups()[1].schemas[0], &other);
}

TEST(Routing, SkipsComeFirst) {
  ContainerMap map = twelve_layers();
  map.skip("model.layers.*.rotary.inv_freq", "recomputed").skip("vision", "another model");
  const auto buffer = map.route("model.layers.40.rotary.inv_freq");
  EXPECT_EQ(buffer.kind, Kind::skip);
  EXPECT_EQ(buffer.container, 0U);
  const auto vision = map.route("vision.patch.weight");
  EXPECT_EQ(vision.kind, Kind::skip);
  EXPECT_EQ(map.skips()[vision.container].reason, "another model");
}

TEST(Routing, SkipsArePrefixesOfWholeSegments) {
  ContainerMap map;
  map.skip("vision", "").skip("a.*.c", "");
  EXPECT_EQ(map.route("vision").kind, Kind::skip);
  EXPECT_EQ(map.route("vision_tower.x").kind, Kind::rest);
  EXPECT_EQ(map.route("model.vision.x").kind, Kind::rest);
  EXPECT_EQ(map.route("a.b.c").kind, Kind::skip);
  EXPECT_EQ(map.route("a.b.c.d").kind, Kind::skip);
  EXPECT_EQ(map.route("a.b.cd").kind, Kind::rest);
  EXPECT_EQ(map.route("a.b.b.c").kind, Kind::rest) << "'*' is one segment";
  EXPECT_EQ(map.route("a.b").kind, Kind::rest);
}

TEST(Routing, OptionalRootMayBeThereOrNot) {
  ContainerMap map;
  map.layers({"encoder.layer"}, block(), 2).non_transformer(block()).skip("pooler", "unused").optional_root("bert");
  for (const char* tensor : {"encoder.layer.1.norm.weight", "bert.encoder.layer.1.norm.weight"}) {
    const auto route = map.route(tensor);
    EXPECT_EQ(route.kind, Kind::layer) << tensor;
    EXPECT_EQ(route.container, 1U);
    EXPECT_EQ(route.local, "norm.weight");
  }
  EXPECT_EQ(map.route("bert.pooler.weight").kind, Kind::skip);
  EXPECT_EQ(map.route("bert.embeddings.weight").local, "embeddings.weight");
  EXPECT_EQ(map.route("bert.bert.embeddings.weight").local, "bert.embeddings.weight") << "once";
  EXPECT_EQ(map.route("bertha.embeddings.weight").local, "bertha.embeddings.weight");
  EXPECT_EQ(map.route("bert").local, "bert");
}

TEST(Routing, TheRestMayBeNobodys) {
  ContainerMap map;
  EXPECT_EQ(map.rest(), nullptr);
  EXPECT_EQ(map.route("anything").kind, Kind::rest);
  EXPECT_EQ(map.n_layers(), 0U);
}

TEST(Routing, LeadsToTheSameLayerForEveryNumberAndPrefix) {
  const ContainerMap map = twelve_layers();
  for (std::uint64_t i = 0; i < 12; ++i)
    for (const char* prefix : {"model.layers.", "blk."}) {
      const std::string tensor = prefix + std::to_string(i) + ".a.b";
      const auto route = map.route(tensor);
      EXPECT_EQ(route.container, i);
      EXPECT_EQ(route.local, "a.b");
    }
}

}  // namespace
}  // namespace ballast::test
