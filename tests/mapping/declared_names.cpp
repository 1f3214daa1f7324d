// What a declaration says is found again: names, types and order of parameters and dependencies, wherever the structs
// are declared.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ballast/declare.hpp"

namespace ballast::test {

using testing::ElementsAre;

std::vector<std::string> names(const ContainerSchema& schema) {
  std::vector<std::string> all;
  for (const ParameterSchema& parameter : schema.parameters()) all.push_back(parameter.name);
  return all;
}
std::vector<std::string> names(const ParameterSchema& parameter) {
  std::vector<std::string> all;
  for (const DependencySchema& dependency : parameter.dependencies) all.push_back(dependency.name);
  return all;
}

struct Weight {
  Dependency params;
  Recipe finalize(const ModelContext&) const { return params; }
};
struct Mixed {
  DependencyList<&ModelContext::n_experts> experts;
  Dependency scale, zero_point;
  OptionalDependency bias;
  Recipe finalize(const ModelContext&) const { return scale; }
};

namespace outer::inner {
struct Layer {
  Parameter<Mixed> second, first;
  Parameter<Weight> _3rd, UPPER_case;
};
}  // namespace outer::inner

TEST(DeclaredNames, InANamespace) {
  const ContainerSchema& schema = schema_of<outer::inner::Layer>();
  EXPECT_EQ(schema.name(), "Layer");
  EXPECT_THAT(names(schema), ElementsAre("second", "first", "_3rd", "UPPER_case"));
  EXPECT_EQ(schema.parameters()[0].type, "Mixed");
  EXPECT_EQ(schema.parameters()[2].type, "Weight");
}

TEST(DeclaredNames, OfDependenciesWithTheirKinds) {
  const ParameterSchema& mixed = schema_of<outer::inner::Layer>().parameters()[0];
  EXPECT_THAT(names(mixed), ElementsAre("experts", "scale", "zero_point", "bias"));
  EXPECT_EQ(mixed.dependencies[0].kind, DependencyKind::list);
  EXPECT_EQ(mixed.dependencies[1].kind, DependencyKind::single);
  EXPECT_EQ(mixed.dependencies[2].kind, DependencyKind::single);
  EXPECT_EQ(mixed.dependencies[3].kind, DependencyKind::optional);
}

TEST(DeclaredNames, OfListLengths) {
  const DependencySchema& experts = schema_of<outer::inner::Layer>().parameters()[0].dependencies[0];
  EXPECT_EQ(experts.length_name, "n_experts");
  ModelContext m;
  m.n_experts = 7;
  EXPECT_EQ(list_length(experts, m), 7U);
}

namespace {
struct HiddenWeight {
  Dependency params, scales;
  Recipe finalize(const ModelContext&) const { return params; }
};
struct HiddenLayer {
  Parameter<HiddenWeight> norm, mlp;
};
}  // namespace

TEST(DeclaredNames, InAnAnonymousNamespace) {
  const ContainerSchema& schema = schema_of<HiddenLayer>();
  EXPECT_EQ(schema.name(), "HiddenLayer");
  EXPECT_THAT(names(schema), ElementsAre("norm", "mlp"));
  EXPECT_EQ(schema.parameters()[0].type, "HiddenWeight");
  EXPECT_THAT(names(schema.parameters()[1]), ElementsAre("params", "scales"));
}

template <class P, int N>
struct LayerOf {
  Parameter<P> a;
  Parameter<Weight> b;
};
template <auto Length>
struct ListOf {
  DependencyList<Length> parts;
  Recipe finalize(const ModelContext&) const { return stack(parts); }
};

TEST(DeclaredNames, InTemplates) {
  EXPECT_THAT(names(schema_of<LayerOf<HiddenWeight, 3>>()), ElementsAre("a", "b"));
  const ContainerSchema& schema = schema_of<LayerOf<ListOf<&ModelContext::n_heads>, -1>>();
  EXPECT_THAT(names(schema), ElementsAre("a", "b"));
  EXPECT_THAT(names(schema.parameters()[0]), ElementsAre("parts"));
  EXPECT_EQ(schema.parameters()[0].dependencies[0].length_name, "n_heads");
}

struct Outer {
  struct Inner {
    Parameter<Weight> nested;
  };
};

TEST(DeclaredNames, InAClass) {
  EXPECT_EQ(schema_of<Outer::Inner>().name(), "Inner");
  EXPECT_THAT(names(schema_of<Outer::Inner>()), ElementsAre("nested"));
}

TEST(DeclaredNames, InAFunction) {
  struct Local {
    Parameter<Weight> here;
    Parameter<Mixed> there;
  };
  EXPECT_EQ(schema_of<Local>().name(), "Local");
  EXPECT_THAT(names(schema_of<Local>()), ElementsAre("here", "there"));
}

// Names that are also those of what reads them.
struct fake {  // NOLINT(readability-identifier-naming)
  Parameter<Weight> fake_quant, its_slots, slot, params, Layer;
};

TEST(DeclaredNames, ThatLookLikeThoseOfTheMachinery) {
  EXPECT_THAT(names(schema_of<fake>()), ElementsAre("fake_quant", "its_slots", "slot", "params", "Layer"));
}

struct Grandparent {
  Parameter<Weight> a, b;
};
struct Parent : Grandparent {
  Parameter<Mixed> c;
};
struct Child : Parent {
  Parameter<Weight> d, e;
};
struct Bare : Child {};

TEST(DeclaredNames, OfBasesComeFirst) {
  EXPECT_THAT(names(schema_of<Child>()), ElementsAre("a", "b", "c", "d", "e"));
  EXPECT_THAT(names(schema_of<Bare>()), ElementsAre("a", "b", "c", "d", "e"));
  EXPECT_EQ(schema_of<Child>().parameters()[2].type, "Mixed");
}

struct Scaled : Weight {
  Dependency scales;
};
struct ScaledTwice : Scaled {
  OptionalDependency global_scale;
  DependencyList<&ModelContext::n_layers> per_layer;
};
struct Quantised {
  Parameter<ScaledTwice> mlp;
};

TEST(DeclaredNames, OfInheritedDependenciesComeFirst) {
  const ParameterSchema& mlp = schema_of<Quantised>().parameters()[0];
  EXPECT_THAT(names(mlp), ElementsAre("params", "scales", "global_scale", "per_layer"));
  EXPECT_EQ(mlp.dependencies[3].length_name, "n_layers");
}

struct Nothing {};

TEST(DeclaredNames, OfAnEmptyContainer) { EXPECT_EQ(schema_of<Nothing>().n_params(), 0U); }

struct Many {
  Parameter<Weight> p00, p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15, p16, p17, p18, p19;
  Parameter<Mixed> p20, p21, p22, p23, p24, p25, p26, p27, p28, p29, p30, p31, p32, p33, p34, p35, p36, p37, p38, p39;
};

TEST(DeclaredNames, OfFortyParameters) {
  const ContainerSchema& schema = schema_of<Many>();
  ASSERT_EQ(schema.n_params(), 40U);
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(schema.parameters()[i].name, (i < 10 ? "p0" : "p") + std::to_string(i));
    EXPECT_EQ(schema.parameters()[i].type, i < 20 ? "Weight" : "Mixed");
  }
}

}  // namespace ballast::test
