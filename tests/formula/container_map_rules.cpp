// Which layer is which container, and which names are skipped, by the numbers of a model.
#include <gtest/gtest.h>

#include "ballast/policy_rules.hpp"
#include "mapping/schemas.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

const ContainerSchema& schema(const std::string& name) {
  static const ContainerSchema dense("Dense", {}, {}), sparse("Sparse", {}, {}), rest("Rest", {}, {});
  return name == "Dense" ? dense : name == "Sparse" ? sparse : rest;
}

ModelContext model() {
  ModelContext m;
  m.n_layers = 6;
  m.n_experts = 4;
  m.extra = {{"first_dense", 2}, {"step", 3}};
  m.lists = {{"dense_layers", {0, 4}}};
  return m;
}

// "DDSSSS"
std::string letters(const ContainerMapRules& rules, const ModelContext& m) {
  const ContainerMap map = rules.evaluate(m);
  std::string text;
  for (const ContainerSchema* one : map.layer_groups().at(0).schemas) text += one->name()[0];
  return text;
}

std::string letters(std::initializer_list<ContainerMapRules::Line> choices, const ModelContext& m = model()) {
  return letters(ContainerMapRules().layers({"h"}, choices), m);
}

TEST(ContainerMapRules, ChooseForEachLayer) {
  EXPECT_EQ(letters({{schema("Dense"), "layer < first_dense"}, {schema("Sparse")}}), "DDSSSS");
  EXPECT_EQ(letters({{schema("Dense"), "layer in dense_layers"}, {schema("Sparse")}}), "DSSSDS");
  EXPECT_EQ(letters({{schema("Sparse"), "(layer + 1) % step == 0 && n_experts > 0"}, {schema("Dense")}}), "DDSDDS");
  ModelContext plain = model();
  plain.n_experts = 0;
  EXPECT_EQ(letters({{schema("Dense"), "n_experts == 0"}, {schema("Sparse")}}, plain), "DDDDDD");
  EXPECT_EQ(letters({{schema("Dense"), "n_experts == 0"}, {schema("Sparse")}}), "SSSSSS");
}

TEST(ContainerMapRules, EverythingElseIsAsInTheMap) {
  ModelContext m = model();
  const ContainerMapRules rules = ContainerMapRules()
                                      .optional_root("model")
                                      .layers({"a", "b"}, schema("Dense"), "n_layers / 2")
                                      .layers({"c"}, schema("Sparse"), "first_dense")
                                      .non_transformer({{schema("Dense"), "from_gguf"}, {schema("Rest")}})
                                      .skip("a.{n_layers}.x.{n_layers + 1}", "more")
                                      .skip("vision", "no images", "n_experts == 0");
  const ContainerMap map = rules.evaluate(m);
  ASSERT_EQ(map.layer_groups().size(), 2U);
  EXPECT_EQ(map.layer_groups()[0].prefixes, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(map.layer_groups()[0].schemas.size(), 3U);
  EXPECT_EQ(map.layer_groups()[1].schemas.size(), 2U);
  EXPECT_EQ(map.rest(), &schema("Rest"));
  EXPECT_EQ(map.roots(), std::vector<std::string>{"model"});
  ASSERT_EQ(map.skips().size(), 1U);
  EXPECT_EQ(map.skips()[0].pattern, "a.6.x.7");
  m.from_gguf = true;
  EXPECT_EQ(rules.evaluate(m).rest(), &schema("Dense"));
}

TEST(ContainerMapRules, FaultsAreToldTogether) {
  const auto error = error_of([] {
    (void)ContainerMapRules()
        .layers({"h"}, schema("Dense"), "n_layer")
        .layers({"g"}, {{schema("Dense"), "layer < 1 / 0"}})
        .skip("a.{1 +}", "")
        .evaluate(model());
  });
  EXPECT_TRUE(has_fault(error, Errc::formula_invalid, {"there is no 'n_layer'", "nearest:  n_layers"}));
  EXPECT_TRUE(has_fault(error, Errc::context_invalid, {"a division by zero"}));
  EXPECT_TRUE(has_fault(error, Errc::formula_invalid, {"the formula cannot be read"}));
}

TEST(ContainerMapRules, ALayerWithoutAContainerIsAFault) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)letters({{schema("Dense"), "layer < 3"}});
      },
      Errc::context_invalid, {"no condition holds for layer 3", "'layer < 3'"}));
}

}  // namespace
}  // namespace ballast::test
