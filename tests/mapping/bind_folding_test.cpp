// B7: reports fold runs of names.
#include <gtest/gtest.h>

#include "mapping/bind_catalog.hpp"

namespace ballast::test {
namespace {

struct Folding : testing::Test {
  const ContainerSchema block =
      layer({experts("moe"), weight("norm")},
            {{"mlp.experts.*.up_proj.weight", {"moe.experts"}}, {"norm.weight", {"norm.params"}}});
  const ContainerMap map = ContainerMap().layers({"model.layers"}, block, 48);
  const ModelContext context = context_of(48, 128);
  static std::string expert(int layer, int e) {
    return "model.layers." + std::to_string(layer) + ".mlp.experts." + std::to_string(e) + ".up_proj.weight";
  }
  static std::string norm(int layer) { return "model.layers." + std::to_string(layer) + ".norm.weight"; }
};

TEST_F(Folding, EverythingMissingIsALineForEachDependency) {
  const auto error = bind_error({}, map, context);
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing,
                        {"6144 tensors are missing", "\"model.layers.{0..47}.mlp.experts.{0..127}.up_proj.weight\"",
                         "transformer_layer_{0..47}.moe.experts"}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"48 tensors", "\"model.layers.{0..47}.norm.weight\""}));
  EXPECT_EQ(error->total(), 2U);
}

TEST_F(Folding, PartialSetsAreSaidAsTheyAre) {
  std::vector<std::string> names;
  for (int l = 0; l < 48; ++l) {
    if (l != 0 && l != 2 && l != 40 && l != 41) names.push_back(norm(l));
    for (int e = 0; e < 128; ++e)
      if (l != 5 || e < 3 || e > 6) names.push_back(expert(l, e));
  }
  const auto error = bind_error(names, map, context);
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing,
                        {"\"model.layers.{0,2,40..41}.norm.weight\"", "transformer_layer_{0,2,40..41}.norm"}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing,
                        {"4 tensors", "\"model.layers.5.mlp.experts.{3..6}.up_proj.weight\"", "transformer_layer_5."}));
  EXPECT_EQ(error->total(), 2U);
}

TEST_F(Folding, SetsThatDifferFromLayerToLayerAreLinesOfTheirOwn) {
  std::vector<std::string> names;
  for (int l = 0; l < 48; ++l) {
    names.push_back(norm(l));
    for (int e = 0; e < 128; ++e)
      if (e != l % 2) names.push_back(expert(l, e));
  }
  const auto error = bind_error(names, map, context);
  EXPECT_EQ(error->total(), 2U);  // even layers lack expert 0, odd ones expert 1
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"layers.{0,2,4,", ",46}.mlp.experts.0.up_proj"}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"layers.{1,3,5,", ",47}.mlp.experts.1.up_proj"}));
}

TEST_F(Folding, UnclaimedNamesToo) {
  std::vector<std::string> names;
  for (int l = 0; l < 48; ++l) {
    names.push_back(norm(l));
    names.push_back(norm(l) + ".extra");
    for (int e = 0; e < 128; ++e) names.push_back(expert(l, e));
  }
  const auto error = bind_error(names, map, context);
  EXPECT_TRUE(has_fault(error, Errc::name_unclaimed,
                        {"48 tensors are in the checkpoint that nothing", "\"model.layers.{0..47}.norm.weight.extra\"",
                         "transformer_layer_{0..47}"}));
  EXPECT_EQ(error->total(), 1U);
}

}  // namespace
}  // namespace ballast::test
