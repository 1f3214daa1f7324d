#include <gtest/gtest.h>

#include "formats/parse.hpp"
#include "support/faults.hpp"
#include "support/gguf_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

std::string small_file() {
  return GgufWriter{}
      .text("general.architecture", "llama")
      .u32s("numbers", {1, 2, 3})
      .texts("texts", {"a", "bc"})
      .tensor("a", DType::F32, {2, 4})
      .tensor("b", DType::Q4_0, {32})
      .bytes();
}

TEST(GgufTruncation, AtEveryByteIsRefused) {
  const std::string whole = small_file();
  const FileHeader header = parse_gguf(whole);
  const std::size_t needed = header.tensors[1].offset + header.tensors[1].nbytes;
  for (std::size_t size = 0; size < needed; ++size) {
    const auto error = error_of([&] { (void)parse_gguf(whole.substr(0, size)); });
    ASSERT_TRUE(error) << size;
    EXPECT_TRUE(error->code() == Errc::header_truncated || error->code() == Errc::limit_exceeded ||
                error->code() == Errc::extent_out_of_file)
        << size << ": " << error->what();
    EXPECT_NE(std::string(error->what()).find("incomplete download"), std::string::npos) << error->what();
  }
}

TEST(GgufTruncation, BytesShortOfTheHeaderAreToldFromAFileThatIs) {
  const std::string whole = small_file();
  const std::uint64_t header_bytes = parse_gguf(whole).header_bytes;
  for (std::size_t size = 0; size + 32 < header_bytes; ++size)
    EXPECT_TRUE(fails_with([&] { (void)parse_gguf_header(whole.substr(0, size), whole.size(), "m.gguf"); },
                           Errc::header_truncated, {"goes on beyond the bytes given"}));
  EXPECT_NO_THROW((void)parse_gguf_header(whole.substr(0, header_bytes), whole.size(), "m.gguf"));
}

TEST(GgufTruncation, AFileCutInItsMagic) {
  const TempFolder folder;
  const InputFile file(folder.write("m.gguf", "GGUF\x03"));
  EXPECT_TRUE(fails_with([&] { (void)read_header(file); }, Errc::header_truncated, {"in the version"}));
}

}  // namespace
}  // namespace ballast::test
