// Why a tensor is missing: what else of its layer or list is there.
#include <gtest/gtest.h>

#include "mapping/bind_catalog.hpp"

namespace ballast::test {
namespace {

struct WhyMissing : testing::Test {
  const ContainerSchema block =
      layer({weight("up"), weight("down"), experts("moe")},
            {{"up", {"up.params"}}, {"down", {"down.params"}}, {"experts.*", {"moe.experts"}}});
  static std::vector<std::string> names(std::initializer_list<int> layers, int n_experts) {
    std::vector<std::string> all;
    for (const int l : layers) {
      const std::string prefix = "h." + std::to_string(l) + ".";
      all.push_back(prefix + "up");
      all.push_back(prefix + "down");
      for (int e = 0; e < n_experts; ++e) all.push_back(prefix + "experts." + std::to_string(e));
    }
    return all;
  }
  std::optional<Error> with(std::vector<std::string> all, std::uint64_t layers, std::uint64_t n_experts) const {
    return bind_error(std::move(all), ContainerMap().layers({"h"}, block, layers), context_of(layers, n_experts));
  }
};

TEST_F(WhyMissing, LayerInTheMiddle) {
  EXPECT_TRUE(has_fault(with(names({0, 2}, 2), 3, 2), Errc::dependency_missing,
                        {"\"h.1.up\"", "nothing of this layer is there: an incomplete checkpoint"}));
}

TEST_F(WhyMissing, LayersAtTheEnd) {
  EXPECT_TRUE(has_fault(with(names({0, 1}, 2), 4, 2), Errc::dependency_missing,
                        {"\"h.{2..3}.up\"", "the config has 4 layers, the checkpoint 2"}));
}

TEST_F(WhyMissing, ExpertsAtTheEnd) {
  EXPECT_TRUE(has_fault(with(names({0, 1}, 2), 2, 4), Errc::dependency_missing,
                        {"4 tensors", "\"h.{0..1}.experts.{2..3}\"", "the config has 4 of them, the checkpoint 2"}));
}

TEST_F(WhyMissing, ExpertInTheMiddle) {
  std::vector<std::string> all = names({0}, 3);
  std::erase(all, "h.0.experts.1");
  EXPECT_TRUE(has_fault(with(all, 1, 3), Errc::dependency_missing,
                        {"\"h.0.experts.1\"", "an incomplete checkpoint, or one of another architecture"}));
}

TEST_F(WhyMissing, OneLineMayHaveMoreThanOneReason) {
  std::vector<std::string> all = names({0}, 1);
  std::erase(all, "h.0.up");
  EXPECT_TRUE(has_fault(with(all, 2, 1), Errc::dependency_missing,
                        {"2 tensors", "\"h.{0..1}.up\"", "an incomplete checkpoint, or one of another architecture",
                         "the config has 2 layers, the checkpoint 1"}));
}

}  // namespace
}  // namespace ballast::test
