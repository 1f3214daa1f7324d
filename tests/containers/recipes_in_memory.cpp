// The streaming door runs the same recipes as a load: layouts, conversions, auxiliaries and custom functions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>

#include "containers/streaming.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;

// A container of one parameter `w`, made of the dependencies a and b by `recipe`.
ContainerSchema made_by(std::function<Recipe(const Recipe& a, const Recipe& b)> recipe) {
  ParameterSchema parameter;
  parameter.name = "w";
  parameter.dependencies = {{"a", DependencyKind::single, {}, {}}, {"b", DependencyKind::single, {}, {}}};
  parameter.finalize = [recipe = std::move(recipe)](const ModelContext&, const Operands& operands) {
    return recipe(operands[0][0], operands[1][0]);
  };
  return ContainerSchema::make("made", {parameter}, {{"a", {"w.a"}}, {"b", {"w.b"}}});
}

InferenceParameter result(const ContainerSchema& schema, Stored a, Stored b) {
  LayerContainer container(schema, context_of(), "made");
  hand_in(container, "a", std::move(a));
  hand_in(container, "b", std::move(b));
  return container["w"].value();
}

TEST(RecipesInMemory, LayOut) {
  const ContainerSchema schema =
      made_by([](const Recipe& a, const Recipe& b) { return transpose(interleave(0, slice(a, 0, 1, 3), b), 0, 1); });
  const InferenceParameter w = result(schema, counting({3, 2}, 0), counting({2, 2}, 10));
  EXPECT_EQ(w.tensor().shape, (Shape{2, 4}));
  EXPECT_THAT(values(w.tensor()), ElementsAre(2, 10, 4, 12, 3, 11, 5, 13));
}

TEST(RecipesInMemory, Convert) {
  const ContainerSchema schema =
      made_by([](const Recipe& a, const Recipe& b) { return cast(concat(0, a, b), DType::BF16); });
  const InferenceParameter w = result(schema, stored({1}, {1.0F}), stored({1}, {-2.0F}));
  EXPECT_EQ(w.tensor().dtype, DType::BF16);
  EXPECT_EQ(w.tensor().as<std::uint16_t>()[0], 0x3F80);
  EXPECT_EQ(w.tensor().as<std::uint16_t>()[1], 0xC000);
}

TEST(RecipesInMemory, MakeAuxiliariesBesideTheTensor) {
  const ContainerSchema schema = made_by([](const Recipe& a, const Recipe& b) {
    return transpose(a, 0, 1).with_aux("scale", cast(b, DType::F64)).with_aux("copy", b);
  });
  const InferenceParameter w = result(schema, counting({2, 2}, 0), stored({1}, {0.5F}));
  EXPECT_THAT(values(w.tensor()), ElementsAre(0, 2, 1, 3));
  ASSERT_EQ(w.aux().size(), 2U);
  const Tensor& scale = w.aux().at("scale");
  EXPECT_EQ(scale.dtype, DType::F64);
  EXPECT_EQ(*scale.as<double>(), 0.5);
  EXPECT_THAT(values(w.aux().at("copy")), ElementsAre(0.5F));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(scale.data) % 256, 0U);
}

TEST(RecipesInMemory, RefuseAuxiliariesOfOneName) {
  const ContainerSchema schema =
      made_by([](const Recipe& a, const Recipe& b) { return a.with_aux("scale", b).with_aux("scale", b); });
  EXPECT_TRUE(fails_with([&] { (void)result(schema, counting({1}, 0), counting({1}, 0)); }, Errc::finalize_failed,
                         {"'scale'", "made.w"}));
}

// Adds two vectors.
void add(std::span<const std::span<const std::byte>> operands, std::span<std::byte> out) {
  for (std::size_t i = 0; i < out.size(); i += sizeof(float)) {
    float x = 0, y = 0;
    std::memcpy(&x, operands[0].data() + i, sizeof x);
    std::memcpy(&y, operands[1].data() + i, sizeof y);
    x += y;
    std::memcpy(out.data() + i, &x, sizeof x);
  }
}

TEST(RecipesInMemory, RunCustomFunctions) {
  const ContainerSchema schema = made_by([](const Recipe& a, const Recipe& b) {
    const std::array operands{transpose(a, 0, 1), transpose(b, 0, 1)};
    const Recipe sum = custom("add", operands, operands[0].spec(), add);
    const std::array again{sum, slice(sum, 0, 0, 2)};
    return concat(0, custom("add", again, sum.spec(), add), b).with_aux("sum", sum);
  });
  const InferenceParameter w = result(schema, stored({2, 2}, {1, 2, 3, 4}), stored({2, 2}, {10, 20, 30, 40}));
  EXPECT_THAT(values(w.tensor()), ElementsAre(22, 66, 44, 88, 10, 20, 30, 40));
  EXPECT_THAT(values(w.aux().at("sum")), ElementsAre(11, 33, 22, 44));
}

TEST(RecipesInMemory, ReportWhatACustomFunctionThrows) {
  const ContainerSchema schema = made_by([](const Recipe& a, const Recipe& b) {
    const std::array operands{a, b};
    return custom("fails", operands, a.spec(), [](auto, auto) { throw std::runtime_error("no such table"); });
  });
  LayerContainer container(schema, context_of(), "made");
  hand_in(container, "a", counting({1}, 0));
  const std::string before = state_of(container);
  EXPECT_TRUE(fails_with([&] { hand_in(container, "b", counting({1}, 0)); }, Errc::finalize_failed,
                         {"no such table", "made.w"}));
  EXPECT_EQ(state_of(container), before);
}

}  // namespace
}  // namespace ballast::test
