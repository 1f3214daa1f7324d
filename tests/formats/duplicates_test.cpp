#include "formats/duplicates.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <string>

namespace ballast {
namespace {

TEST(Duplicates, AreWhatCountingFinds) {
  EXPECT_TRUE(rc::check([] {
    const auto texts =
        *rc::gen::container<std::vector<std::string>>(rc::gen::container<std::string>(rc::gen::element('a', 'b', 'c')));
    std::map<std::string_view, int> counts;
    std::vector<std::size_t> expected;
    for (std::size_t i = 0; i < texts.size(); ++i)
      if (++counts[texts[i]] == 2) expected.push_back(i);
    const std::vector<std::string_view> names(texts.begin(), texts.end());
    RC_ASSERT(find_duplicates(names) == expected);
  }));
}

TEST(Duplicates, OneAmongVeryManyIsFound) {
  std::vector<std::string> texts;
  for (int i = 0; i < 100'000; ++i) texts.push_back("model.layers." + std::to_string(i));
  std::vector<std::string_view> names(texts.begin(), texts.end());
  EXPECT_TRUE(find_duplicates(names).empty());
  names.push_back(names[17]);
  EXPECT_EQ(find_duplicates(names), std::vector<std::size_t>{100'000});
}

}  // namespace
}  // namespace ballast
