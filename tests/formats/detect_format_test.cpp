#include <gtest/gtest.h>

#include "formats/parse.hpp"
#include "support/faults.hpp"
#include "support/safetensors_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

using namespace std::string_view_literals;

FileFormat detect(std::string_view contents) {
  const TempFolder folder;
  return detect_format(InputFile(folder.write("model.bin", contents)));
}

testing::AssertionResult refused(std::string_view contents, std::initializer_list<std::string_view> parts) {
  return fails_with([&] { (void)detect(contents); }, Errc::not_a_checkpoint, parts);
}

TEST(DetectFormat, GoesByTheContentsNotByTheName) {
  EXPECT_EQ(detect(gguf_start(0, 0)), FileFormat::gguf);
  EXPECT_EQ(detect(safetensors_bytes("{}", "")), FileFormat::safetensors);
  EXPECT_EQ(name(FileFormat::gguf), "gguf");
  EXPECT_EQ(name(FileFormat::safetensors), "safetensors");
}

// The low byte of the length can be any character, '{' and '<' among them.
TEST(DetectFormat, ALengthThatLooksLikeTextIsALength) {
  for (const char first : {'{', '[', '<', ' ', '\x80', 'P'})
    EXPECT_EQ(detect(bytes_of(static_cast<std::uint64_t>(static_cast<unsigned char>(first))) + "{}"),
              FileFormat::safetensors);
}

TEST(DetectFormat, AnEmptyFile) { EXPECT_TRUE(refused("", {"the file is empty", "model.bin"})); }

TEST(DetectFormat, AGitLfsPointer) {
  EXPECT_TRUE(refused("version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 4976698672\n",
                      {"a Git LFS pointer, not the file itself", "git lfs pull", "4976698672 bytes"}));
  EXPECT_TRUE(refused("version https://git-lfs.github.com/spec/v1\n", {"git lfs pull"}));
}

TEST(DetectFormat, AnHtmlPage) {
  for (const auto page :
       {"<!DOCTYPE html><html>"sv, "<!doctype HTML>"sv, "\r\n  <html lang=en>"sv, "<HTML>"sv, "\xEF\xBB\xBF<html>"sv})
    EXPECT_TRUE(refused(page, {"an HTML page", "login or error page"}));
  EXPECT_TRUE(refused("<?xml version=\"1.0\"?><Error>", {"XML"}));
}

TEST(DetectFormat, AJsonFile) {
  EXPECT_TRUE(refused("{\"error\": \"not found\"}", {"a JSON text file"}));
  EXPECT_TRUE(refused("{}", {"a JSON text file"}));
  EXPECT_TRUE(refused("\n[1, 2, 3, 4, 5]", {"a JSON text file"}));
}

TEST(DetectFormat, APyTorchFile) {
  EXPECT_TRUE(refused("PK\x03\x04\x14\x00\x00\x00\x00\x00"sv, {"zip archive: a PyTorch checkpoint", "safetensors"}));
  EXPECT_TRUE(refused("\x80\x02\x8a\x0al\xfc\x9c."sv, {"pickle", "PyTorch", "convert"}));
  EXPECT_TRUE(refused("\x80\x04\x95"sv, {"pickle"})) << "even one too short for a header";
}

TEST(DetectFormat, OtherFilesOfArrays) {
  EXPECT_TRUE(refused("\x93NUMPY\x01\x00v\x00"sv, {"NumPy", "convert"}));
  EXPECT_TRUE(refused("\x89HDF\r\n\x1a\n...."sv, {"HDF5"}));
  EXPECT_TRUE(refused("tjgg\x03\x00\x00\x00\x00"sv, {"before GGUF"}));
  EXPECT_TRUE(refused("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"sv, {"gzip", "unpack"}));
}

TEST(DetectFormat, ZerosOfADownloadThatWasNeverFilled) {
  EXPECT_TRUE(refused(std::string(4096, '\0'), {"nothing but zeros", "fetch the file again"}));
}

TEST(DetectFormat, AnythingElseIsShownInHex) {
  EXPECT_TRUE(
      refused("\x7f"
              "ELF\x02\x01\x01\x01 and more than that",
              {"not known", "a safetensors or GGUF file", "7f 45 4c 46 02 01 01 01"}));
}

TEST(DetectFormat, TooShortToTell) {
  EXPECT_TRUE(fails_with([] { (void)detect("short"); }, Errc::header_truncated, {"too short", "5 bytes"}));
}

}  // namespace
}  // namespace ballast::test
