// Every pair of floating types gives what PyTorch's cast gives, bit for bit, but for which NaN a NaN becomes.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "convert/hash.hpp"
#include "convert/inputs.hpp"
#include "convert/patterns.hpp"

namespace ballast::test {
namespace {

struct Expected {
  std::size_t elements = 0;
  std::uint64_t digest = 0;
};

Expected expected_for(DType from, DType to) {
  std::ifstream file(BALLAST_FIXTURES "/convert/digests.txt");
  std::string from_name, to_name;
  Expected expected;
  while (file >> from_name >> to_name >> std::dec >> expected.elements >> std::hex >> expected.digest) {
    if (from_name == name(from) && to_name == name(to)) return expected;
  }
  ADD_FAILURE() << "digests.txt has no line for this pair";
  return {};
}

std::vector<std::pair<DType, DType>> pairs_of_different_types() {
  std::vector<std::pair<DType, DType>> pairs;
  for (const DType from : kFloats) {
    for (const DType to : kFloats) {
      if (from != to) pairs.emplace_back(from, to);
    }
  }
  return pairs;
}

class Casts : public testing::TestWithParam<std::pair<DType, DType>> {};

TEST_P(Casts, match_torch) {
  const auto [from, to] = GetParam();
  const auto expected = expected_for(from, to);
  const auto inputs = inputs_of(from);
  ASSERT_EQ(inputs.size(), expected.elements);
  Digest digest;
  for (const auto pattern : convert_patterns(from, to, inputs)) {
    digest.add(is_nan(to, pattern) ? nan_patterns(to).nan : pattern);
  }
  EXPECT_EQ(digest.value(), expected.digest);
}

std::string name_of(const testing::TestParamInfo<std::pair<DType, DType>>& test) {
  return std::string(name(test.param.first)) + "_to_" + std::string(name(test.param.second));
}

INSTANTIATE_TEST_SUITE_P(All, Casts, testing::ValuesIn(pairs_of_different_types()), name_of);

}  // namespace
}  // namespace ballast::test
