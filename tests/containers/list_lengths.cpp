// Lists are as long as the model context says: of several lengths in one container, and of length zero (S6).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "containers/streaming.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;

struct PerLayer {
  DependencyList<&ModelContext::n_layers> entries;
  Recipe finalize(const ModelContext&) const { return stack(entries); }
};
struct Lists {
  Parameter<Experts> experts;
  Parameter<PerLayer> per_layer;
  static constexpr auto param_mapping = mapping<Lists>(from("e.*", to<&Lists::experts, &Experts::experts>),
                                                       from("l.*", to<&Lists::per_layer, &PerLayer::entries>));
};

TEST(ListLengths, DifferInOneContainer) {
  auto context = std::make_shared<ModelContext>();
  context->n_experts = 1;
  context->n_layers = 3;
  LayerContainer container = container_of<Lists>(context);
  hand_in(container, "e.0", stored({1}, {7}));
  EXPECT_TRUE(container["experts"].is_finalised());
  EXPECT_TRUE(fails_with([&] { hand_in(container, "e.1", stored({1}, {8})); }, Errc::list_index_invalid));
  for (const char* source : {"l.2", "l.0", "l.1"}) {
    EXPECT_FALSE(container.is_populated());
    hand_in(container, source, stored({1}, {static_cast<float>(source[2] - '0')}));
  }
  EXPECT_THAT(values(container["per_layer"].tensor()), ElementsAre(0, 1, 2));
  EXPECT_TRUE(container.is_populated());
}

// A schema made at run time, whose list is as long as a number of the context says by name.
ContainerSchema with_length(std::string length_name) {
  ParameterSchema parameter;
  parameter.name = "w";
  parameter.dependencies = {{"params", DependencyKind::list, std::move(length_name), {}}};
  parameter.finalize = [](const ModelContext&, const Operands& operands) { return stack(operands[0]); };
  return ContainerSchema::make("made", {parameter}, {{"p.*", {"w.params"}}});
}

TEST(ListLengths, MayBeNumbersThatOnlyOneArchitectureHas) {
  const ContainerSchema schema = with_length("n_codebooks");
  auto context = std::make_shared<ModelContext>();
  context->extra["n_codebooks"] = 2;
  LayerContainer container(schema, context, "made");
  hand_in(container, "p.0", stored({1}, {0}));
  hand_in(container, "p.1", stored({1}, {1}));
  EXPECT_TRUE(container.is_populated());
}

TEST(ListLengths, ThatNameNothingAreAnErrorWhenTheContainerIsMade) {
  const ContainerSchema schema = with_length("n_codebooks");
  EXPECT_TRUE(fails_with([&] { LayerContainer(schema, context_of(), "made"); }, Errc::unknown_list_length,
                         {"'params'", "'n_codebooks'"}));
}

TEST(EmptyList, IsCompleteWhenMade) {
  const LayerContainer container = container_of(context_of(0));
  EXPECT_TRUE(container["moe_w"].is_finalised());
  EXPECT_EQ(container.n_finalised(), 1U);
  EXPECT_FALSE(container["norm"].is_finalised());
}

TEST(EmptyList, TakesNoElement) {
  LayerContainer container = container_of(context_of(0));
  EXPECT_TRUE(fails_with([&] { hand_in(container, "mlp.experts.0.weight", stored({1}, {1})); },
                         Errc::list_index_invalid, {"a decimal index below 0", "got:      0"}));
}

struct ListAndBias {
  DependencyList<&ModelContext::n_experts> experts;
  Dependency bias;
  Recipe finalize(const ModelContext&) const { return experts.size() == 0 ? Recipe(bias) : stack(experts); }
};
struct Mixed {
  Parameter<ListAndBias> w;
  static constexpr auto param_mapping =
      mapping<Mixed>(from("e.*", to<&Mixed::w, &ListAndBias::experts>), from("b", to<&Mixed::w, &ListAndBias::bias>));
};

TEST(EmptyList, BesideAnotherDependencyWaitsForThat) {
  LayerContainer container = container_of<Mixed>(context_of(0));
  EXPECT_FALSE(container["w"].is_finalised());
  hand_in(container, "b", stored({1}, {5}));
  EXPECT_THAT(values(container["w"].tensor()), ElementsAre(5));
}

TEST(EmptyList, ThatCannotBeFinalisedIsAnErrorWhenTheContainerIsMade) {
  auto context = std::make_shared<ModelContext>();
  EXPECT_TRUE(fails_with([&] { (void)container_of<Lists>(context); }, Errc::finalize_failed,
                         {"transformer_layer_3.per_layer"}));
}

}  // namespace
}  // namespace ballast::test
