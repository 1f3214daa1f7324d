// Expanding the folded lines gives back exactly the names that were folded.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>

#include "ballast/binding.hpp"

namespace ballast::test {
namespace {

// "a.{0..1,5}.b" as a.0.b, a.1.b, a.5.b; leftmost braces first.
void expand(const std::string& line, std::vector<std::string>& names) {
  const std::size_t open = line.find('{');
  if (open == std::string::npos) return names.push_back(line);
  const std::size_t close = line.find('}', open);
  const std::string before = line.substr(0, open), after = line.substr(close + 1);
  for (std::size_t at = open + 1; at < close;) {
    const std::size_t end = std::min(line.find(',', at), close);
    const std::string part = line.substr(at, end - at);
    const std::size_t dots = part.find("..");
    const unsigned long first = std::stoul(part);
    const unsigned long last = dots == std::string::npos ? first : std::stoul(part.substr(dots + 2));
    for (unsigned long number = first; number <= last; ++number) expand(before + std::to_string(number) + after, names);
    at = end + 1;
  }
}

// Few words and small numbers, so that many names are alike.
rc::Gen<std::string> segment() {
  const auto number = rc::gen::map(rc::gen::inRange(0, 6), [](int n) { return std::to_string(n); });
  const auto odd = rc::gen::element<std::string>("", "00", "01", "-1", "a", "bias", "1234567890", "x1");
  return rc::gen::weightedOneOf<std::string>({{4, number}, {1, odd}});
}

rc::Gen<std::string> name_of_segments() {
  const auto segments = rc::gen::mapcat(rc::gen::inRange<std::size_t>(1, 5), [](std::size_t count) {
    return rc::gen::container<std::vector<std::string>>(count, segment());
  });
  return rc::gen::map(segments, [](const std::vector<std::string>& parts) {
    std::string name = parts[0];
    for (std::size_t i = 1; i < parts.size(); ++i) name += "." + parts[i];
    return name;
  });
}

TEST(FoldNamesProperty, ExpandingGivesBackTheNames) {
  EXPECT_TRUE(rc::check([] {
    const auto names = *rc::gen::container<std::set<std::string>>(name_of_segments());
    std::vector<std::string> expanded;
    for (const std::string& line : fold_names({names.begin(), names.end()}, names.size() + 1)) expand(line, expanded);
    RC_ASSERT(expanded.size() == names.size());  // nothing twice
    RC_ASSERT((std::set<std::string>(expanded.begin(), expanded.end()) == names));
  }));
}

TEST(FoldNamesProperty, OrderDoesNotMatter) {
  EXPECT_TRUE(rc::check([] {
    const auto names = *rc::gen::container<std::vector<std::string>>(name_of_segments());
    std::vector<std::string> backwards(names.rbegin(), names.rend());
    RC_ASSERT(fold_names(names) == fold_names(std::move(backwards)));
  }));
}

}  // namespace
}  // namespace ballast::test
