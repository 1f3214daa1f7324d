#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>

#include "ballast/catalog.hpp"
#include "catalog/weight_index.hpp"
#include "support/faults.hpp"
#include "support/index_json.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

using catalog::contained_path;
using namespace std::string_view_literals;

TEST(ShardPathEscapes, NamesOutsideTheFolderAreRefused) {
  for (const std::string_view shard : {"/etc/passwd"sv, "../x"sv, "a/../x"sv, "a/.."sv, ".."sv, "a\\b"sv, "..\\x"sv,
                                       "C:\\x"sv, "x\0y"sv, ""sv, "."sv, "./"sv, "//x"sv})
    EXPECT_EQ(contained_path(shard), std::nullopt) << shard;
}

TEST(ShardPathEscapes, NamesInsideTheFolderAreSimplified) {
  EXPECT_EQ(contained_path("model.safetensors"), "model.safetensors");
  EXPECT_EQ(contained_path("./a//b/./c"), "a/b/c");
  EXPECT_EQ(contained_path("..a/b.."), "..a/b..");
  EXPECT_EQ(contained_path("..."), "...");
}

TEST(ShardPathEscapes, IsReportedOncePerShardAndNothingOutsideIsOpened) {
  const TempFolder folder;
  folder.write("secret", "not weights");
  const std::string model = folder.folder("model");
  write_file(model + "/model.safetensors.index.json",
             index_json({{"a", "../secret"}, {"b", "../secret"}, {"c", "/secret"}}));
  const auto error = error_of([&] { (void)open_checkpoint(model); });
  EXPECT_TRUE(has_fault(error, Errc::shard_path_escapes, {R"("../secret")", "outside its folder", "index.json"}));
  EXPECT_TRUE(has_fault(error, Errc::shard_path_escapes, {R"("/secret")"}));
  EXPECT_EQ(error->total(), 2U);
}

RC_GTEST_PROP(ShardPathEscapes, WhatIsAcceptedStaysInTheFolder, ()) {
  // Of these pieces most of the ways out can be made.
  const auto piece = rc::gen::element<std::string>("..", ".", "/", "a", "\\", std::string(1, '\0'), "...", " ");
  std::string shard;
  for (const std::string& part : *rc::gen::container<std::vector<std::string>>(piece)) shard += part;
  const auto contained = contained_path(shard);
  if (!contained) return;
  const std::filesystem::path normal = std::filesystem::path(shard).lexically_normal();
  RC_ASSERT(normal.is_relative());
  RC_ASSERT(*normal.begin() != "..");
  RC_ASSERT(std::filesystem::path(*contained).lexically_normal() == std::filesystem::path(*contained));
}

}  // namespace
}  // namespace ballast::test
