// A parameter that may come in one of several forms: the first that begins is the one that counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "containers/streaming.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;

struct Separate {
  DependencyList<&ModelContext::n_experts> experts;
  Recipe finalize(const ModelContext&) const { return stack(experts); }
};
struct Packed {
  Dependency stacked;
  Recipe finalize(const ModelContext&) const { return slice(stacked, 1, 0, 1); }
};
struct Either : OneOf<Separate, Packed> {};

struct MoeLayer {
  Parameter<Either> moe_w;
  Parameter<OneOf<Packed, Weight>> other;
  static constexpr auto param_mapping = mapping<MoeLayer>(from("experts.*.w", to<&MoeLayer::moe_w, &Separate::experts>),
                                                          from("experts", to<&MoeLayer::moe_w, &Packed::stacked>),
                                                          from("other.packed", to<&MoeLayer::other, &Packed::stacked>),
                                                          from("other.plain", to<&MoeLayer::other, &Weight::params>));
};
static_assert(well_mapped<MoeLayer>);

TEST(Forms, AreNumberedInTheSchema) {
  const ParameterSchema& schema = schema_of<MoeLayer>().parameters()[0];
  ASSERT_EQ(schema.dependencies.size(), 2U);
  EXPECT_EQ(schema.dependencies[0].name, "experts");
  EXPECT_EQ(schema.dependencies[0].form, 1);
  EXPECT_EQ(schema.dependencies[1].name, "stacked");
  EXPECT_EQ(schema.dependencies[1].form, 2);
  EXPECT_EQ(schema_of<Layer>().parameters()[0].dependencies[0].form, 0) << "a parameter without forms";
}

TEST(Forms, TheOneThatComesFinalises) {
  LayerContainer separate = container_of<MoeLayer>();
  hand_in(separate, "experts.1.w", stored({1}, {2}));
  EXPECT_EQ(separate.n_finalised(), 0U);
  hand_in(separate, "experts.0.w", stored({1}, {1}));
  EXPECT_THAT(values(separate["moe_w"].tensor()), ElementsAre(1, 2));

  LayerContainer packed = container_of<MoeLayer>();
  hand_in(packed, "experts", stored({2, 2}, {1, 2, 3, 4}));
  EXPECT_THAT(values(packed["moe_w"].tensor()), ElementsAre(1, 3)) << "by the recipe of its own form";
  hand_in(packed, "other.plain", stored({1}, {5}));
  EXPECT_TRUE(packed.is_populated());
}

TEST(Forms, TwoAreRefusedAndChangeNothing) {
  LayerContainer container = container_of<MoeLayer>();
  hand_in(container, "experts.1.w", stored({1}, {2}));
  const std::string before = state_of(container);
  EXPECT_TRUE(fails_with(
      [&] {
        hand_in(container, "experts", stored({2, 1}, {1, 2}));
      },
      Errc::already_set, {"moe_w", "another form", "'experts', after 'experts.1.w'"}));
  EXPECT_EQ(state_of(container), before);
}

TEST(Forms, WhatIsAwaitedIsOfTheFormThatHasBegun) {
  LayerContainer container = container_of<MoeLayer>();
  hand_in(container, "other.packed", stored({1, 1}, {0}));
  EXPECT_EQ(container.awaited().size(), 2U) << "of none, the first form's";
  hand_in(container, "experts.1.w", stored({1}, {2}));
  ASSERT_EQ(container.awaited().size(), 1U);
  EXPECT_EQ(container.awaited()[0].source, "experts.0.w");
  EXPECT_TRUE(fails_with([&] { container.finish(); }, Errc::dependency_missing, {"experts[0]"}));
}

}  // namespace
}  // namespace ballast::test
