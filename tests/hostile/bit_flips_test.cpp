// Any one bit of a header may be wrong: the result is a load or a ballast::Error, in bounded memory.
#include <gtest/gtest.h>

#include <fstream>

#include "hostile/small_llama.hpp"

namespace ballast::test {
namespace {

// In place: writing the file anew twenty thousand times would be waiting for a disk.
void put(const std::string& path, std::uint64_t at, char byte) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(static_cast<std::streamoff>(at));
  file.put(byte);
}

struct Outcome {
  std::size_t loads = 0, errors = 0;
};

Outcome flip_every_bit(const std::string& path, const std::string& load_path) {
  const std::string bytes = read_file(path);
  const std::uint64_t header = open_checkpoint(path).files[0].header_bytes;
  Outcome outcome;
  for (std::uint64_t at = 0; at < header; ++at)
    for (int bit = 0; bit < 8; ++bit) {
      put(path, at, static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << bit)));
      ++(load_error(load_path) ? outcome.errors : outcome.loads);
      EXPECT_FALSE(testing::Test::HasFailure()) << "bit " << bit << " of byte " << at;
      if (testing::Test::HasFailure()) return outcome;
      put(path, at, bytes[at]);
    }
  return outcome;
}

TEST(BitFlips, SafetensorsHeader) {
  const TempFolder folder;
  write_model(folder, small_safetensors().bytes());
  const Outcome outcome = flip_every_bit(folder / "model.safetensors", folder.path());
  EXPECT_GT(outcome.errors, 9 * outcome.loads);  // nearly every bit means something
  EXPECT_LT(peak_memory(), kLittleMemory);
}

TEST(BitFlips, GgufHeader) {
  const TempFolder folder;
  const std::string path = small_gguf().write(folder / "model.gguf");
  const Outcome outcome = flip_every_bit(path, path);
  EXPECT_GT(outcome.errors, outcome.loads);
  EXPECT_LT(peak_memory(), kLittleMemory);
}

}  // namespace
}  // namespace ballast::test
