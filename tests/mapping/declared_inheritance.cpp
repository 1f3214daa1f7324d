// D6 and D7 for declared containers: what a child has from its base, and what it has of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ballast/declare.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;

struct Weight {
  Dependency params;
  Recipe finalize(const ModelContext&) const { return params; }
};
struct Qkv {
  Dependency q_params, k_params;
  Recipe finalize(const ModelContext&) const { return concat(0, q_params, k_params); }
};

struct Base {
  Parameter<Weight> norm;
  Parameter<Qkv> qkv_w;
  static constexpr auto param_mapping = mapping<Base>(from("norm.weight", to<&Base::norm, &Weight::params>),
                                                      from("q.weight", to<&Base::qkv_w, &Qkv::q_params>),
                                                      from("k.weight", to<&Base::qkv_w, &Qkv::k_params>));
};

std::vector<std::string> names(const ContainerSchema& schema) {
  std::vector<std::string> all;
  for (const ParameterSchema& parameter : schema.parameters()) all.push_back(parameter.name);
  return all;
}

// "parameter.dependency" that a source fills; empty where it fills none.
std::string filled_by(const ContainerSchema& schema, std::string_view source) {
  const auto match = schema.match_one(source);
  if (!match) return "";
  const MappingTarget& target = schema.rules()[match->rule].targets.front();
  return target.parameter + "." + target.dependency;
}

struct MoreParameters : Base {
  Parameter<Weight> q_norm;
  static constexpr auto param_mapping =
      mapping<MoreParameters>(inherits<Base>, from("q_norm.weight", to<&MoreParameters::q_norm, &Weight::params>));
};
static_assert(well_mapped<MoreParameters>);

TEST(DeclaredInheritance, BringsParametersAndRules) {
  const ContainerSchema& schema = schema_of<MoreParameters>();
  EXPECT_THAT(names(schema), ElementsAre("norm", "qkv_w", "q_norm"));
  EXPECT_EQ(filled_by(schema, "k.weight"), "qkv_w.k_params");
  EXPECT_EQ(filled_by(schema, "q_norm.weight"), "q_norm.params");
}

struct Renamed : Base {
  static constexpr auto param_mapping =
      mapping<Renamed>(inherits<Base>, from("ln.weight", to<&Renamed::norm, &Weight::params>));
};
struct RenamedAgain : Renamed {
  static constexpr auto param_mapping =
      mapping<RenamedAgain>(inherits<Renamed>, from("rms.weight", to<&RenamedAgain::norm, &Weight::params>));
};

TEST(DeclaredInheritance, RuleOfTheChildForATargetWins) {
  EXPECT_EQ(filled_by(schema_of<Renamed>(), "ln.weight"), "norm.params");
  EXPECT_EQ(filled_by(schema_of<Renamed>(), "norm.weight"), "");
  EXPECT_EQ(filled_by(schema_of<RenamedAgain>(), "rms.weight"), "norm.params");
  EXPECT_EQ(filled_by(schema_of<RenamedAgain>(), "ln.weight"), "");
  EXPECT_EQ(filled_by(schema_of<RenamedAgain>(), "q.weight"), "qkv_w.q_params");
}

struct Swapped : Base {
  static constexpr auto param_mapping =
      mapping<Swapped>(inherits<Base>, from("k.weight", to<&Swapped::qkv_w, &Qkv::q_params>),
                       from("q.weight", to<&Swapped::qkv_w, &Qkv::k_params>));
};

TEST(DeclaredInheritance, RuleOfTheChildForASourceWins) {
  EXPECT_EQ(filled_by(schema_of<Swapped>(), "q.weight"), "qkv_w.k_params");
  EXPECT_EQ(filled_by(schema_of<Swapped>(), "k.weight"), "qkv_w.q_params");
}

struct SameButFused : Base {
  Parameter<Weight> qkv_w;
  static constexpr auto param_mapping =
      mapping<SameButFused>(inherits<Base>, from("qkv.weight", to<&SameButFused::qkv_w, &Weight::params>));
};
static_assert(well_mapped<SameButFused>);

TEST(DeclaredInheritance, ParameterOfTheChildHidesThatOfItsBase) {
  const ContainerSchema& schema = schema_of<SameButFused>();
  EXPECT_THAT(names(schema), ElementsAre("norm", "qkv_w"));
  EXPECT_EQ(schema.parameters()[1].type, "Weight");
  EXPECT_EQ(filled_by(schema, "qkv.weight"), "qkv_w.params");
  EXPECT_EQ(filled_by(schema, "q.weight"), "") << "a rule for what is declared away goes with it";
}

struct Weight2 : Weight {
  OptionalDependency bias;
};
struct WithBias : Base {
  Parameter<Weight2> norm;
  static constexpr auto param_mapping =
      mapping<WithBias>(inherits<Base>, from("norm.bias", to<&WithBias::norm, &Weight2::bias>));
};

TEST(DeclaredInheritance, RulesOfTheBaseFillTheNewDeclarationWhereTheyFit) {
  const ContainerSchema& schema = schema_of<WithBias>();
  EXPECT_EQ(filled_by(schema, "norm.weight"), "norm.params");
  EXPECT_EQ(filled_by(schema, "norm.bias"), "norm.bias");
}

struct NoMappingOfItsOwn : Base {};

TEST(DeclaredInheritance, ChildWithoutMappingHasThatOfItsBase) {
  EXPECT_EQ(schema_of<NoMappingOfItsOwn>().rules().size(), 3U);
}

struct Scaled : Weight {
  Dependency scales;
};
struct ByOwnName {
  Parameter<Scaled> mlp;
  static constexpr auto param_mapping = mapping<ByOwnName>(from("w", to<&ByOwnName::mlp, &Scaled::params>),
                                                           from("s", to<&ByOwnName::mlp, &Scaled::scales>));
};
struct ByNameOfTheBase {
  Parameter<Scaled> mlp;
  static constexpr auto param_mapping = mapping<ByNameOfTheBase>(from("w", to<&ByNameOfTheBase::mlp, &Weight::params>),
                                                                 from("s", to<&ByNameOfTheBase::mlp, &Scaled::scales>));
};

TEST(DeclaredInheritance, InheritedDependenciesAreTargetsByEitherName) {
  EXPECT_EQ(filled_by(schema_of<ByOwnName>(), "w"), "mlp.params");
  EXPECT_EQ(filled_by(schema_of<ByNameOfTheBase>(), "w"), "mlp.params");
  EXPECT_EQ(filled_by(schema_of<ByNameOfTheBase>(), "s"), "mlp.scales");
}

}  // namespace
}  // namespace ballast::test
