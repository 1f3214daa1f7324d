#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ballast/catalog.hpp"
#include "catalog/names_of.hpp"
#include "support/faults.hpp"
#include "support/gguf_writer.hpp"
#include "support/safetensors_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;

TEST(AmbiguousFolder, ListsTheCandidatesAndAsksForOne) {
  const TempFolder folder;
  SafetensorsWriter{}.tensor("a", DType::F32, {1}).write(folder / "one.safetensors");
  GgufWriter{}.tensor("a", DType::F32, {1}).write(folder / "two.gguf");
  EXPECT_TRUE(fails_with([&] { (void)open_checkpoint(folder.path()); }, Errc::invalid_argument,
                         {"several checkpoints", "one.safetensors, two.gguf", "name the one that is meant"}));
  EXPECT_THAT(files_of(open_checkpoint(folder / "two.gguf")), ElementsAre("two.gguf"));
}

TEST(AmbiguousFolder, TwoSetsOfShards) {
  const TempFolder folder;
  for (const char* name : {"a-1-of-2.safetensors", "a-2-of-2.safetensors", "b-1-of-1.safetensors"})
    SafetensorsWriter{}.tensor(name, DType::F32, {1}).write(folder / name);
  EXPECT_TRUE(fails_with([&] { (void)open_checkpoint(folder.path()); }, Errc::invalid_argument,
                         {"a-*-of-2.safetensors, b-*-of-1.safetensors"}));
}

TEST(AmbiguousFolder, NamesThatOnlyLookLikeShardsAreFilesOfTheirOwn) {
  const TempFolder folder;
  for (const char* name : {"a-5-of-2.safetensors", "-1-of-2.safetensors", "a-x-of-2.safetensors"})
    SafetensorsWriter{}.tensor(name, DType::F32, {1}).write(folder / name);
  EXPECT_TRUE(fails_with([&] { (void)open_checkpoint(folder.path()); }, Errc::invalid_argument,
                         {"-1-of-2.safetensors, a-5-of-2.safetensors, a-x-of-2.safetensors"}));
}

}  // namespace
}  // namespace ballast::test
