// Numbers are found again by their values in made-up models.
#include "schema_file/trace_numbers.hpp"

#include <gtest/gtest.h>

#include <set>

namespace ballast::test {
namespace {

using schema_file::kModels;
using schema_file::NumberFinder;
using schema_file::Values;

Values of(std::size_t index) {
  Values values{};
  for (std::size_t m = 0; m < kModels; ++m) values[m] = schema_file::made_up(index, m);
  return values;
}

template <class Compute>
Values computed(Compute compute) {
  Values values{};
  for (std::size_t m = 0; m < kModels; ++m) values[m] = compute(of(0)[m], of(1)[m], of(2)[m]);
  return values;
}

NumberFinder finder() {
  NumberFinder finder;
  finder.add("a", of(0));
  finder.add("b", of(1));
  finder.add("c", of(2));
  return finder;
}

TEST(Numbers, MadeUpOnesDiffer) {
  std::set<std::uint64_t> all;
  for (std::size_t i = 0; i < 2000; ++i)
    for (const std::uint64_t value : of(i)) {
      EXPECT_NE(value, 0U);
      EXPECT_TRUE(all.insert(value).second);
    }
  EXPECT_EQ(schema_file::made_up(1'000'000, 0), 0U) << "there are only so many";
}

TEST(Numbers, SimpleFormulasAreFound) {
  const auto text = [](auto compute) { return finder().find(computed(compute)).value_or("none"); };
  EXPECT_EQ(text([](auto a, auto, auto) { return a; }), "a");
  EXPECT_EQ(text([](auto, auto, auto) { return std::uint64_t{5}; }), "5");
  EXPECT_EQ(text([](auto a, auto, auto) { return a / 2; }), "a / 2");
  EXPECT_EQ(text([](auto a, auto, auto) { return 3 * a; }), "3 * a");
  EXPECT_EQ(text([](auto a, auto b, auto) { return a * b; }), "a * b");
  EXPECT_EQ(text([](auto a, auto b, auto) { return a * b + 8; }), "a * b + 8");
  EXPECT_EQ(text([](auto a, auto b, auto c) { return a * (b + 2 * c); }), "(b + 2 * c) * a");
  EXPECT_EQ(text([](auto a, auto b, auto c) { return a * b * c; }), "b * c * a");
  EXPECT_EQ(text([](auto a, auto b, auto c) { return a + b + c; }), "b + c + a");
}

TEST(Numbers, OthersAreNot) {
  EXPECT_FALSE(finder().find(computed([](auto a, auto b, auto) { return a % b + 12'347; })));
  EXPECT_FALSE(finder().find({1, 2, 3}));
}

}  // namespace
}  // namespace ballast::test
