// D6 for typed access: a child has its base's members, and what it declares again hides the base's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "containers/streaming.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;

struct Reversed {
  Dependency a, b;
  Recipe finalize(const ModelContext&) const { return concat(0, b, a); }
};
struct Child : Layer {
  Parameter<Reversed> norm;  // another type under the base's name
  Parameter<Weight> extra;
  static constexpr auto param_mapping =
      mapping<Child>(inherits<Layer>, from("norm.a", to<&Child::norm, &Reversed::a>),
                     from("norm.b", to<&Child::norm, &Reversed::b>), from("extra", to<&Child::extra, &Weight::params>));
};

TEST(InheritedMembers, AreFilledByTheRulesOfTheBase) {
  LayerContainer container = container_of<Child>();
  EXPECT_THAT(container.parameter_names(), ElementsAre("qkv_w", "norm", "moe_w", "extra"));
  hand_in(container, "attn.q.weight", stored({1}, {1}));
  hand_in(container, "attn.k.weight", stored({1}, {2}));
  hand_in(container, "extra", stored({1}, {3}));
  const Child child = container.as<Child>();
  EXPECT_THAT(values(child.qkv_w), ElementsAre(1, 2));
  EXPECT_THAT(values(child.extra), ElementsAre(3));
  EXPECT_FALSE(child.moe_w.is_loaded());
}

TEST(InheritedMembers, ThatAreDeclaredAgainHideTheBase) {
  LayerContainer container = container_of<Child>();
  hand_in(container, "norm.a", stored({1}, {1}));
  hand_in(container, "norm.b", stored({1}, {2}));
  const Child child = container.as<Child>();
  EXPECT_THAT(values(child.norm), ElementsAre(2, 1));
  // Code that was written for the base sees the child's.
  const Layer& as_base = child;
  EXPECT_THAT(values(as_base.norm), ElementsAre(2, 1));
}

struct FusedAndMore : Fused {  // D7: a parameter type has the dependencies of its base
  Dependency v_params;
  Recipe finalize(const ModelContext&) const { return concat(0, q_params, k_params, v_params); }
};
struct More {
  Parameter<FusedAndMore> qkv;
  static constexpr auto param_mapping = mapping<More>(from("q", to<&More::qkv, &FusedAndMore::q_params>),
                                                      from("k", to<&More::qkv, &FusedAndMore::k_params>),
                                                      from("v", to<&More::qkv, &FusedAndMore::v_params>));
};

TEST(InheritedDependencies, AreWaitedForAndUsed) {
  LayerContainer container = container_of<More>();
  hand_in(container, "v", stored({1}, {3}));
  hand_in(container, "k", stored({1}, {2}));
  EXPECT_FALSE(container.is_populated());
  hand_in(container, "q", stored({1}, {1}));
  EXPECT_THAT(values(container["qkv"].tensor()), ElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace ballast::test
