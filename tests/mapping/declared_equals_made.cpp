// A declared container and the same one made at run time are the same schema, and the declared recipe runs from it.
#include <gtest/gtest.h>

#include "ballast/declare.hpp"
#include "mapping/schemas.hpp"

namespace ballast::test {
namespace {

struct Qkv {
  Dependency q_params, k_params;
  OptionalDependency bias;
  Recipe finalize(const ModelContext&) const {
    const Recipe fused = concat(0, q_params, k_params);
    return bias ? fused.with_aux("bias", bias) : fused;
  }
};
struct Experts {
  DependencyList<&ModelContext::n_experts> up, gate;
  Recipe finalize(const ModelContext& m) const {
    return up.size() == m.n_experts ? concat(0, stack(up), stack(gate)) : Recipe::nothing();
  }
};
struct Layer {
  Parameter<Qkv> qkv_w;
  Parameter<Experts> moe;
  static constexpr auto param_mapping =
      mapping<Layer>(from_any({"q_proj.weight", "attn_q.weight"}, to<&Layer::qkv_w, &Qkv::q_params>),
                     from("k_proj.weight", to<&Layer::qkv_w, &Qkv::k_params>).tied_to("model.wte.weight"),
                     from("experts.*.up", to<&Layer::moe, &Experts::up>, to<&Layer::moe, &Experts::gate>));
};
static_assert(well_mapped<Layer>);

ContainerSchema made() {
  return ContainerSchema("Layer",
                         {parameter("qkv_w", {single("q_params"), single("k_params"), optional("bias")}),
                          parameter("moe", {list("up"), list("gate")})},
                         {MappingRule{{"q_proj.weight", "attn_q.weight"}, {{"qkv_w", "q_params"}}, {}},
                          MappingRule{{"k_proj.weight"}, {{"qkv_w", "k_params"}}, {"model.wte.weight"}},
                          MappingRule{{"experts.*.up"}, {{"moe", "up"}, {"moe", "gate"}}, {}}});
}

TEST(DeclaredEqualsMade, Parameters) {
  const ContainerSchema& declared = schema_of<Layer>();
  const ContainerSchema by_hand = made();
  EXPECT_EQ(declared.name(), by_hand.name());
  ASSERT_EQ(declared.n_params(), by_hand.n_params());
  for (std::size_t p = 0; p < by_hand.n_params(); ++p) {
    const ParameterSchema &a = declared.parameters()[p], &b = by_hand.parameters()[p];
    EXPECT_EQ(a.name, b.name);
    ASSERT_EQ(a.dependencies.size(), b.dependencies.size());
    for (std::size_t d = 0; d < b.dependencies.size(); ++d) {
      EXPECT_EQ(a.dependencies[d].name, b.dependencies[d].name);
      EXPECT_EQ(a.dependencies[d].kind, b.dependencies[d].kind);
      EXPECT_EQ(a.dependencies[d].length_name, b.dependencies[d].length_name);
    }
  }
}

TEST(DeclaredEqualsMade, Rules) {
  const ContainerSchema& declared = schema_of<Layer>();
  const ContainerSchema by_hand = made();
  ASSERT_EQ(declared.rules().size(), by_hand.rules().size());
  for (std::size_t r = 0; r < by_hand.rules().size(); ++r) {
    const MappingRule &a = declared.rules()[r], &b = by_hand.rules()[r];
    EXPECT_EQ(a.sources, b.sources);
    EXPECT_EQ(a.tied_to, b.tied_to);
    ASSERT_EQ(a.targets.size(), b.targets.size());
    for (std::size_t t = 0; t < b.targets.size(); ++t) {
      EXPECT_EQ(a.targets[t].parameter, b.targets[t].parameter);
      EXPECT_EQ(a.targets[t].dependency, b.targets[t].dependency);
    }
  }
  EXPECT_EQ(declared.list_patterns(), by_hand.list_patterns());
}

TEST(DeclaredEqualsMade, SchemaIsMadeOnce) { EXPECT_EQ(&schema_of<Layer>(), &schema_of<Layer>()); }

Recipe run(const ParameterSchema& parameter, const ModelContext& m,
           const std::vector<std::vector<Recipe>>& dependencies) {
  const std::vector<std::span<const Recipe>> spans(dependencies.begin(), dependencies.end());
  return parameter.finalize(m, Operands(spans));
}

TEST(DeclaredFinalize, GetsEachDependencyInItsPlace) {
  const Recipe q = Recipe::source(0, 0, {DType::F32, {8, 3}}), k = Recipe::source(1, 0, {DType::F32, {2, 3}});
  const Recipe fused = run(schema_of<Layer>().parameters()[0], {}, {{q}, {k}, {}});
  EXPECT_EQ(fused.shape(), (Shape{10, 3}));
  EXPECT_EQ(fused.node()->operands[0], q.node());
  EXPECT_EQ(fused.node()->operands[1], k.node());
  EXPECT_TRUE(fused.aux().empty());
}

TEST(DeclaredFinalize, GetsOptionalDependenciesWhereTheyAreThere) {
  const Recipe x = Recipe::source(0, 0, {DType::F32, {8, 3}});
  EXPECT_EQ(run(schema_of<Layer>().parameters()[0], {}, {{x}, {x}, {x}}).aux().size(), 1U);
}

TEST(DeclaredFinalize, GetsListsAndTheContext) {
  ModelContext m;
  m.n_experts = 3;
  const std::vector<Recipe> experts(3, Recipe::source(0, 0, {DType::F32, {5}}));
  EXPECT_EQ(run(schema_of<Layer>().parameters()[1], m, {experts, experts}).shape(), (Shape{6, 5}));
  m.n_experts = 4;
  EXPECT_TRUE(run(schema_of<Layer>().parameters()[1], m, {experts, experts}).is_nothing());
}

}  // namespace
}  // namespace ballast::test
