// Headers larger than what is read of a file at first.
#include <gtest/gtest.h>

#include "formats/parse.hpp"
#include "support/faults.hpp"
#include "support/gguf_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

// About `megabytes` of tokens before the tensor.
std::string write_large(const TempFolder& folder, std::size_t megabytes) {
  const std::vector<std::string> tokens(megabytes * 1000, std::string(1000, 't'));
  return GgufWriter{}.texts("tokens", tokens).tensor("a", DType::F32, {4}).write(folder / "large.gguf");
}

TEST(GgufWindow, GrowsUntilTheHeaderFits) {
  const TempFolder folder;
  const FileHeader header = read_header(InputFile(write_large(folder, 5)));
  EXPECT_EQ(header.metadata.find("tokens")->array()->size(), 5000U);
  EXPECT_EQ(header.tensors[0].offset, header.header_bytes);
}

TEST(GgufWindow, GrowsAtOnceToWhatOneLongStringNeeds) {
  const TempFolder folder;
  const std::string path = folder / "m.gguf";
  GgufWriter{}.text("long", std::string(10'000'000, 's')).tensor("a", DType::F32, {4}).write(path);
  EXPECT_EQ(read_header(InputFile(path)).metadata.find("long")->string()->size(), 10'000'000U);
}

TEST(GgufWindow, GrowsNoFurtherThanTheLimit) {
  const TempFolder folder;
  HeaderLimits limits;
  limits.max_gguf_header_bytes = 2'000'000;
  const InputFile file(write_large(folder, 5));
  EXPECT_TRUE(fails_with([&] { (void)read_header(file, limits); }, Errc::header_too_large,
                         {"at most 2000000 bytes", "max_gguf_header_bytes", "large.gguf"}));
}

}  // namespace
}  // namespace ballast::test
