// One source may fill several parameters, and several dependencies of one; it fills all of them or none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "containers/streaming.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;

struct Doubled {
  Parameter<Weight> plain;
  Parameter<Fused> twice;   // both dependencies from one source
  Parameter<Fused> halves;  // one dependency from it, one from another
  static constexpr auto param_mapping =
      mapping<Doubled>(from("x", to<&Doubled::plain, &Weight::params>, to<&Doubled::twice, &Fused::q_params>,
                            to<&Doubled::twice, &Fused::k_params>, to<&Doubled::halves, &Fused::k_params>),
                       from("y", to<&Doubled::halves, &Fused::q_params>));
};

TEST(OneSource, FillsSeveralParametersAndSeveralDependenciesOfOne) {
  LayerContainer container = container_of<Doubled>();
  hand_in(container, "x", stored({2}, {1, 2}));
  EXPECT_THAT(values(container["plain"].tensor()), ElementsAre(1, 2));
  EXPECT_THAT(values(container["twice"].tensor()), ElementsAre(1, 2, 1, 2));
  EXPECT_EQ(container.n_finalised(), 2U);
  hand_in(container, "y", stored({1}, {0}));
  EXPECT_THAT(values(container["halves"].tensor()), ElementsAre(0, 1, 2));
  EXPECT_TRUE(container.is_populated());
}

TEST(OneSource, FillsNoTargetWhereOneIsTaken) {
  LayerContainer container = container_of<Doubled>();
  container.direct_injection("halves", {});
  const std::string before = state_of(container);
  EXPECT_TRUE(fails_with(
      [&] {
        hand_in(container, "x", stored({2}, {1, 2}));
      },
      Errc::already_finalised, {"transformer_layer_3.halves.k_params", "a direct injection"}));
  EXPECT_EQ(state_of(container), before);
}

struct Throwing {
  Dependency params;
  Recipe finalize(const ModelContext&) const { throw std::runtime_error("no such thing"); }
};
struct OneThrows {
  Parameter<Weight> fine;
  Parameter<Throwing> faulty;
  Parameter<Fused> waits;
  static constexpr auto param_mapping =
      mapping<OneThrows>(from("x", to<&OneThrows::fine, &Weight::params>, to<&OneThrows::waits, &Fused::q_params>,
                              to<&OneThrows::faulty, &Throwing::params>),
                         from("y", to<&OneThrows::waits, &Fused::k_params>));
};

TEST(OneSource, FillsNoTargetWhereOneCannotBeFinalised) {
  LayerContainer container = container_of<OneThrows>();
  const std::string before = state_of(container);
  EXPECT_TRUE(fails_with([&] { hand_in(container, "x", stored({1}, {1})); }, Errc::finalize_failed,
                         {"transformer_layer_3.faulty", "no such thing"}));
  EXPECT_EQ(state_of(container), before);
}

struct TwoLists {
  DependencyList<&ModelContext::n_experts> gates, ups;
  Recipe finalize(const ModelContext&) const { return concat(0, stack(gates), stack(ups)); }
};
struct ListTwice {
  Parameter<TwoLists> w;
  Parameter<Experts> each;
  static constexpr auto param_mapping =
      mapping<ListTwice>(from("e.*", to<&ListTwice::w, &TwoLists::gates>, to<&ListTwice::w, &TwoLists::ups>,
                              to<&ListTwice::each, &Experts::experts>));
};

TEST(OneSource, FillsTheSameElementOfSeveralLists) {
  LayerContainer container = container_of<ListTwice>();
  hand_in(container, "e.1", stored({1}, {1}));
  hand_in(container, "e.0", stored({1}, {0}));
  EXPECT_THAT(values(container["w"].tensor()), ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(values(container["each"].tensor()), ElementsAre(0, 1));
}

}  // namespace
}  // namespace ballast::test
