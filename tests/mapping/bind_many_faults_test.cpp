// Faults by the ten thousand are reported soon, capped, and counted.
#include <gtest/gtest.h>

#include <chrono>

#include "mapping/bind_catalog.hpp"

namespace ballast::test {
namespace {

constexpr int kMany = 90'000;

// A bound that no machine misses while the work grows with the number of faults, and every one does if it squares.
constexpr std::chrono::seconds kSoon{60};

struct ManyFaults : testing::Test {
  const ContainerSchema block = layer(
      {weight("w"), weight("up")}, {{"self_attn.q_proj.weight", {"w.params"}}, {"mlp.up_proj.weight", {"up.params"}}});
  const ContainerMap map = ContainerMap().layers({"layers"}, block, 1);
  const std::vector<std::string> good{"layers.0.self_attn.q_proj.weight", "layers.0.mlp.up_proj.weight"};
  const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  void TearDown() override { EXPECT_LT(std::chrono::steady_clock::now() - start, kSoon); }
};

TEST_F(ManyFaults, OfNamesThatDoNotFold) {
  std::vector<std::string> names = good;
  for (int i = 0; i < kMany; ++i) names.push_back("layers.0.self_attn.q" + std::to_string(i) + "_proj.weight");
  const auto error = bind_error(names, map, context_of(1));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->total(), std::size_t{kMany});
  EXPECT_EQ(error->diagnostics().size(), Diagnostics::kMaxKept);
  EXPECT_NE(std::string(error->what()).find("... and 89900 more"), std::string::npos);
  for (const Diagnostic& d : error->diagnostics()) EXPECT_EQ(d.code, Errc::name_unclaimed);
}

TEST_F(ManyFaults, OfNamesThatFold) {
  std::vector<std::string> names = good;
  for (int i = 0; i < kMany; ++i) names.push_back("layers.0.x." + std::to_string(i));
  const auto error = bind_error(names, map, context_of(1));
  EXPECT_TRUE(has_fault(error, Errc::name_unclaimed, {"90000 tensors", "\"layers.0.x.{0..89999}\""}));
  EXPECT_EQ(error->total(), 1U);
}

TEST_F(ManyFaults, OfNamesThatHaveNothingToFoldWith) {
  std::vector<std::string> names = good;
  for (int i = 0; i < kMany; ++i) names.push_back("layers.0.x." + std::to_string(2 * i));  // a set of gaps
  const auto error = bind_error(names, map, context_of(1));
  ASSERT_EQ(error->total(), 1U);
  EXPECT_LT(std::string_view(error->what()).size(), 2'000U);
}

TEST_F(ManyFaults, OfLongNames) {
  std::vector<std::string> names = good;
  for (int i = 0; i < 2'000; ++i) names.push_back("layers.0." + std::string(10'000, '.') + std::to_string(i) + "x");
  EXPECT_EQ(bind_error(names, map, context_of(1))->total(), 2'000U);
}

TEST_F(ManyFaults, BeyondWhatIsKeptAreCountedInALineOfTheirOwn) {
  const ContainerSchema lists =
      layer({experts("a"), experts("b"), experts("c"), experts("d")},
            {{"a.*", {"a.experts"}}, {"b.*", {"b.experts"}}, {"c.*", {"c.experts"}}, {"d.*", {"d.experts"}}});
  const auto error = bind_error({}, only(lists), context_of(0, 65'536));  // 262,144 are missing
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"65536 tensors are missing", "\"a.{0..65535}\""}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"62144 more names are at fault"}));
}

}  // namespace
}  // namespace ballast::test
