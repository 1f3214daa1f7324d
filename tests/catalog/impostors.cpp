#include <gtest/gtest.h>

#include "ballast/catalog.hpp"
#include "support/faults.hpp"
#include "support/index_json.hpp"
#include "support/safetensors_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

constexpr const char* kIndex = "model.safetensors.index.json";
constexpr std::string_view kLfsPointer =
    "version https://git-lfs.github.com/spec/v1\n"
    "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";
constexpr std::string_view kHtml = "\n<!DOCTYPE html>\n<html><body>Sign in</body></html>";

TEST(Impostors, GitLfsPointerInPlaceOfConfig) {
  const TempFolder folder;
  SafetensorsWriter{}.tensor("a", DType::F32, {1}).write(folder / "model.safetensors");
  folder.write("config.json", kLfsPointer);
  EXPECT_TRUE(fails_with([&] { (void)open_checkpoint(folder.path()); }, Errc::config_invalid,
                         {"Git LFS pointer", "/config.json", "git lfs pull"}));
}

TEST(Impostors, GitLfsPointerInPlaceOfIndex) {
  const TempFolder folder;
  folder.write(kIndex, kLfsPointer);
  EXPECT_TRUE(fails_with([&] { (void)open_checkpoint(folder.path()); }, Errc::index_invalid,
                         {"Git LFS pointer", kIndex, "git lfs pull"}));
}

TEST(Impostors, GitLfsPointerInPlaceOfEveryShardIsReportedForEach) {
  const TempFolder folder;
  folder.write("1.safetensors", kLfsPointer);
  folder.write("2.safetensors", kLfsPointer);
  folder.write(kIndex, index_json({{"a", "1.safetensors"}, {"b", "2.safetensors"}}));
  const auto error = error_of([&] { (void)open_checkpoint(folder.path()); });
  EXPECT_TRUE(has_fault(error, Errc::not_a_checkpoint, {"Git LFS pointer", "/1.safetensors"}));
  EXPECT_TRUE(has_fault(error, Errc::not_a_checkpoint, {"Git LFS pointer", "/2.safetensors"}));
}

TEST(Impostors, HtmlPage) {
  const TempFolder folder;
  folder.write(kIndex, kHtml);
  folder.write("config.json", kHtml);
  const auto error = error_of([&] { (void)open_checkpoint(folder.path()); });
  EXPECT_TRUE(has_fault(error, Errc::index_invalid, {"HTML page", kIndex, "download the file itself"}));
  EXPECT_TRUE(has_fault(error, Errc::config_invalid, {"HTML page", "/config.json", "download the file itself"}));
  const std::string weights = folder.write("w.safetensors", kHtml);
  EXPECT_TRUE(fails_with([&] { (void)open_checkpoint(weights); }, Errc::not_a_checkpoint, {"HTML page"}));
}

TEST(Impostors, ByteOrderMark) {
  EXPECT_TRUE(fails_with([] { (void)parse_model_config("\xEF\xBB\xBF{}", "config.json"); }, Errc::config_invalid,
                         {"byte order mark"}));
}

}  // namespace
}  // namespace ballast::test
