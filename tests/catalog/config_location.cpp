#include <gtest/gtest.h>

#include "ballast/catalog.hpp"
#include "support/faults.hpp"
#include "support/safetensors_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

class ConfigLocation : public testing::Test {
 protected:
  ConfigLocation() { SafetensorsWriter{}.tensor("a", DType::F32, {1}).write(folder / "model.safetensors"); }

  Catalog open(const std::string& config_path) const {
    OpenOptions options;
    options.config_path = config_path;
    return open_checkpoint(folder.path(), options);
  }

  TempFolder folder;
};

TEST_F(ConfigLocation, AnotherFileMayBeNamed) {
  folder.write("config.json", R"({"model_type": "beside"})");
  const std::string path = folder.write("elsewhere/my.json", R"({"model_type": "named"})");
  EXPECT_EQ(open(path).config.value().model_type, "named");
  EXPECT_EQ(open(path).config.value().path, path);
  EXPECT_EQ(open("").config.value().model_type, "beside");
}

TEST_F(ConfigLocation, AFolderMayBeNamed) {
  folder.write("elsewhere/config.json", R"({"model_type": "named"})");
  EXPECT_EQ(open(folder / "elsewhere").config.value().model_type, "named");
}

TEST_F(ConfigLocation, WhatIsNamedMustBeThere) {
  EXPECT_TRUE(fails_with([&] { (void)open(folder / "absent.json"); }, Errc::config_missing, {"/absent.json"}));
  EXPECT_TRUE(fails_with([&] { (void)open(folder.folder("empty")); }, Errc::config_missing, {"/empty/config.json"}));
}

TEST_F(ConfigLocation, WithoutOneThereIsNoConfig) { EXPECT_FALSE(open("").config); }

}  // namespace
}  // namespace ballast::test
