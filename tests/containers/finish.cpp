// When nothing more comes: what is missing is reported at once; optional dependencies may be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "containers/streaming.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;

TEST(Finish, OfAFullContainerDoesNothing) {
  LayerContainer container = container_of();
  for (const std::string& name : container.parameter_names()) container.direct_injection(name, {});
  const std::string before = state_of(container);
  container.finish();
  EXPECT_EQ(state_of(container), before);
}

TEST(Finish, ReportsEverythingThatIsMissing) {
  LayerContainer container = container_of();
  hand_in(container, "attn.q.weight", stored({1}, {1}));
  hand_in(container, "mlp.experts.0.weight", stored({1}, {1}));
  const std::string before = state_of(container);
  const auto error = error_of([&] { container.finish(); });
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"\"attn.k.weight\"", "transformer_layer_3.qkv_w.k_params"}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"\"norm.weight\"", "transformer_layer_3.norm.params"}));
  EXPECT_TRUE(
      has_fault(error, Errc::dependency_missing, {"\"mlp.experts.1.weight\"", "transformer_layer_3.moe_w.experts[1]"}));
  EXPECT_EQ(error->total(), 3U);
  EXPECT_EQ(state_of(container), before);
  hand_in(container, "attn.k.weight", stored({1}, {2}));
  EXPECT_TRUE(container["qkv_w"].is_finalised()) << "what is missing may still come";
}

struct WeightAndScale {
  Dependency weight;
  OptionalDependency scale;
  Recipe finalize(const ModelContext&) const { return scale ? concat(0, weight, scale) : Recipe(weight); }
};
struct MaybeBias {
  OptionalDependency params;
  Recipe finalize(const ModelContext&) const { return params; }
};
struct Optionals {
  Parameter<WeightAndScale> w;
  Parameter<MaybeBias> b;
  static constexpr auto param_mapping = mapping<Optionals>(from("w", to<&Optionals::w, &WeightAndScale::weight>),
                                                           from("s", to<&Optionals::w, &WeightAndScale::scale>),
                                                           from("b", to<&Optionals::b, &MaybeBias::params>));
};

TEST(OptionalDependency, IsWaitedForUntilTheEnd) {
  LayerContainer container = container_of<Optionals>();
  hand_in(container, "w", stored({1}, {1}));
  EXPECT_FALSE(container["w"].is_finalised());
  EXPECT_EQ(container.awaited().size(), 2U);
  EXPECT_TRUE(container.awaited().front().optional);
  container.finish();
  EXPECT_THAT(values(container["w"].tensor()), ElementsAre(1));
  EXPECT_FALSE(container["b"].value().has_tensor()) << "nothing came of which it could be made";
  EXPECT_TRUE(container.is_populated());
}

TEST(OptionalDependency, CountsWhereItComes) {
  LayerContainer container = container_of<Optionals>();
  hand_in(container, "s", stored({1}, {2}));
  hand_in(container, "w", stored({1}, {1}));
  EXPECT_THAT(values(container["w"].tensor()), ElementsAre(1, 2));
  hand_in(container, "b", stored({1}, {3}));
  EXPECT_TRUE(container.is_populated()) << "without finish()";
}

TEST(OptionalDependency, ReleasesTheOtherSourcesAtTheEnd) {
  LayerContainer container = container_of<Optionals>();
  Stored w = stored({1}, {1});
  const std::weak_ptr<const void> watched = w.owner;
  hand_in(container, "w", std::move(w));
  EXPECT_FALSE(watched.expired());
  container.finish();
  EXPECT_TRUE(watched.expired());
}

TEST(OptionalDependency, DoesNotExcuseOneThatIsNot) {
  LayerContainer container = container_of<Optionals>();
  hand_in(container, "s", stored({1}, {2}));
  const std::string before = state_of(container);
  const auto error = error_of([&] { container.finish(); });
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"\"w\"", "transformer_layer_3.w.weight"}));
  EXPECT_EQ(error->total(), 1U);
  EXPECT_EQ(state_of(container), before) << "the parameter that could be finished is not";
}

TEST(OptionalDependency, MayNotComeAfterTheEnd) {
  LayerContainer container = container_of<Optionals>();
  hand_in(container, "w", stored({1}, {1}));
  container.finish();
  EXPECT_TRUE(fails_with([&] { hand_in(container, "s", stored({1}, {2})); }, Errc::already_finalised,
                         {"transformer_layer_3.w.scale"}));
}

}  // namespace
}  // namespace ballast::test
