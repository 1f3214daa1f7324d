#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ballast/catalog.hpp"
#include "catalog/names_of.hpp"
#include "support/faults.hpp"
#include "support/index_json.hpp"
#include "support/safetensors_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;

// The hub cache keeps contents under blobs/ and lays out each revision as symbolic links to them.
TEST(HubCache, ARevisionOfLinksIsACheckpoint) {
  const TempFolder cache;
  SafetensorsWriter{}.tensor("a", DType::F32, {1}).write(cache / "blobs/aaaa");
  SafetensorsWriter{}.tensor("b", DType::F32, {1}).write(cache / "blobs/bbbb");
  cache.write("blobs/cccc",
              index_json({{"a", "model-00001-of-00002.safetensors"}, {"b", "model-00002-of-00002.safetensors"}}));
  cache.write("blobs/dddd", R"({"model_type": "llama"})");
  cache.link("snapshots/rev/model-00001-of-00002.safetensors", "../../blobs/aaaa");
  cache.link("snapshots/rev/model-00002-of-00002.safetensors", "../../blobs/bbbb");
  cache.link("snapshots/rev/model.safetensors.index.json", "../../blobs/cccc");
  cache.link("snapshots/rev/config.json", "../../blobs/dddd");

  for (const char* path : {"snapshots/rev", "snapshots/rev/model.safetensors.index.json"}) {
    const Catalog catalog = open_checkpoint(cache / path);
    EXPECT_THAT(names_of(catalog), ElementsAre("a", "b"));
    EXPECT_EQ(catalog.files[0].path, cache / "snapshots/rev/model-00001-of-00002.safetensors");
    EXPECT_EQ(catalog.config.value().model_type, "llama");
  }
}

TEST(HubCache, ALinkToAWeightFileHasTheConfigBesideTheLink) {
  const TempFolder cache;
  SafetensorsWriter{}.tensor("a", DType::F32, {1}).write(cache / "blobs/aaaa");
  cache.link("snapshots/rev/model.safetensors", "../../blobs/aaaa");
  cache.write("snapshots/rev/config.json", R"({"model_type": "llama"})");
  EXPECT_TRUE(open_checkpoint(cache / "snapshots/rev/model.safetensors").config);
  EXPECT_FALSE(open_checkpoint(cache / "blobs/aaaa").config);
}

TEST(HubCache, ALinkWhoseBlobIsGone) {
  const TempFolder cache;
  cache.write("snapshots/rev/model.safetensors.index.json", index_json({{"a", "1.safetensors"}}));
  cache.link("snapshots/rev/1.safetensors", "../../blobs/aaaa");
  cache.link("snapshots/rev/config.json", "../../blobs/dddd");
  const auto error = error_of([&] { (void)open_checkpoint(cache / "snapshots/rev"); });
  EXPECT_TRUE(has_fault(error, Errc::shard_missing, {"../../blobs/aaaa", "cleaned"}));
  EXPECT_TRUE(has_fault(error, Errc::io_open, {"config.json", "../../blobs/dddd"}));
}

}  // namespace
}  // namespace ballast::test
