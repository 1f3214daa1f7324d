// R32: the container map routes names: skipped prefixes, layer prefixes with an index, the rest. Prefixes end at
// segments, the index is checked, several layer prefixes are alternatives.
#include <gtest/gtest.h>

#include "ballast/container_map.hpp"
#include "reference/declared.hpp"

namespace ballast::reference {
namespace {

using Kind = ContainerMap::RouteKind;

ContainerMap map() {
  ContainerMap m;
  m.layers({"model.layers", "blk"}, schema_of<Layer>(), 4).non_transformer(schema_of<Layer>());
  m.skip("rotary", "recomputed");
  return m;
}

TEST(R32, SkippedThenLayersThenTheRest) {
  EXPECT_EQ(map().route("rotary.inv_freq").kind, Kind::skip);
  const ContainerMap m = map();
  for (const char* tensor : {"model.layers.3.norm.weight", "blk.3.norm.weight"}) {
    EXPECT_EQ(m.route(tensor).kind, Kind::layer) << tensor;
    EXPECT_EQ(m.route(tensor).container, 3U);
    EXPECT_EQ(m.route(tensor).local, "norm.weight");
  }
  EXPECT_EQ(m.route("model.norm.weight").kind, Kind::rest);
  EXPECT_EQ(m.route("model.norm.weight").local, "model.norm.weight");
}

TEST(R32, PrefixesEndAtSegments) {
  EXPECT_EQ(map().route("model.layers_norm.weight").kind, Kind::rest);
  EXPECT_EQ(map().route("rotary_emb.inv_freq").kind, Kind::rest);
}

TEST(R32, IndexIsChecked) {
  for (const char* tensor : {"model.layers.4.w", "model.layers.-1.w", "model.layers.01.w", "model.layers.x.w"})
    EXPECT_EQ(map().route(tensor).kind, Kind::bad_layer) << tensor;
}

}  // namespace
}  // namespace ballast::reference
