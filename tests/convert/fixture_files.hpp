// The blocks of GGML types that tests/fixtures/make_convert.py writes, and what they stand for.
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "ballast/dtype.hpp"

namespace ballast::test {

// `suffix` is "blocks", or "f32", "f16", "bf16" for the values.
inline std::vector<std::byte> read_blocks_fixture(DType dtype, const std::string& suffix) {
  std::string path = BALLAST_FIXTURES "/convert/";
  for (const char letter : name(dtype)) path += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  path += "." + suffix;
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << path;
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  const auto* const bytes = reinterpret_cast<const std::byte*>(content.data());
  return {bytes, bytes + content.size()};
}

inline std::size_t elements_in(DType dtype, const std::vector<std::byte>& blocks) {
  return blocks.size() / info(dtype).block_bytes * info(dtype).block_elements;
}

}  // namespace ballast::test
