// What formulas give, and the trouble that their numbers may make.
#include "formula/formulas.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

Recipe weight(std::uint32_t dependency, std::uint32_t element = 0) {
  return Recipe::source(dependency, element, {DType::F32, {4, 6}});
}

TEST(Values, ArithmeticIsChecked) {
  NamedValues scope;
  scope.values["big"] = ~std::uint64_t{0};
  EXPECT_EQ(trouble_of("1 + big", scope),
            "3: a number leaves its range [a number from 0 to 2^64 - 1 | 1 + 18446744073709551615]");
  EXPECT_EQ(trouble_of("big * 2", scope),
            "5: a number leaves its range [a number from 0 to 2^64 - 1 | 18446744073709551615 * 2]");
  EXPECT_EQ(trouble_of("2 - 3", scope), "3: a number leaves its range [a number from 0 to 2^64 - 1 | 2 - 3]");
  EXPECT_EQ(trouble_of("2 / (1 - 1)", scope), "3: a division by zero [a positive number | 0]");
  EXPECT_EQ(trouble_of("2 % 0", scope), "3: a division by zero [a positive number | 0]");
}

TEST(Values, WhatTheConfigLacksIsSaid) {
  NamedValues scope;
  EXPECT_EQ(trouble_of("1 + config.n_inner", scope),
            "5: the config does not say 'config.n_inner' [a number | nothing]");
  scope.config["config.n_inner"] = std::string("many");
  EXPECT_EQ(trouble_of("1 + config.n_inner", scope),
            "5: a part of the formula is of the wrong kind [a number | a text]");
}

TEST(Values, ListsAndTexts) {
  NamedValues scope;
  scope.config["config.act"] = std::string("silu");
  scope.config["config.layers"] = formula::List{std::uint64_t{1}, std::uint64_t{3}};
  scope.config["config.types"] = formula::List{std::string("full"), std::string("sliding")};
  scope.config["config.alike"] = formula::List{std::uint64_t{8}, std::uint64_t{8}};
  EXPECT_EQ(number_of("config.act == 'silu' ? 1 : 2", scope), 1U);
  EXPECT_EQ(number_of("config.act != 'silu' ? 1 : 2", scope), 2U);
  EXPECT_EQ(number_of("3 in config.layers", scope), 1U);
  EXPECT_EQ(number_of("2 in config.layers", scope), 0U);
  EXPECT_EQ(number_of("'full' in config.types", scope), 1U);
  EXPECT_EQ(number_of("element(config.layers, 1) + length(config.layers)", scope), 5U);
  EXPECT_EQ(number_of("config.alike", scope), 8U) << "one number for each layer, all alike";
  EXPECT_EQ(trouble_of("element(config.layers, 2)", scope), "1: a list has no such element [a number below 2 | 2]");
  EXPECT_EQ(trouble_of("config.layers + 1", scope),
            "1: a part of the formula is of the wrong kind [a number | a list]");
  EXPECT_EQ(number_of("min(3, 4) * max(3, 4)", scope), 12U);
}

TEST(Values, RecipesAreThoseOfTheFunctions) {
  NamedValues scope;
  scope.values["a"] = weight(0);
  scope.values["b"] = weight(1);
  scope.values["experts"] = formula::Tensors{weight(2, 0), weight(2, 1), weight(2, 2)};
  const auto shape = [&](const std::string& text) {
    return to_string(std::get<Recipe>(value_of(text, scope)).shape());
  };
  EXPECT_EQ(shape("concat(1, a, b)"), "[4, 12]");
  EXPECT_EQ(shape("concat(0, a, experts)"), "[16, 6]");
  EXPECT_EQ(shape("stack(0, experts)"), "[3, 4, 6]");
  EXPECT_EQ(shape("stack(0, each(transpose(experts, 0, 1)))"), "[3, 6, 4]");
  EXPECT_EQ(shape("stack(0, each(concat(0, experts, a)))"), "[3, 8, 6]");
  EXPECT_EQ(shape("interleave(0, a, b)"), "[8, 6]");
  EXPECT_EQ(shape("slice(a, 1, 2, extent(a, 1))"), "[4, 4]");
  EXPECT_EQ(shape("reshape(a, [2, 2, 6])"), "[2, 2, 6]");
  EXPECT_EQ(shape("permute(reshape(a, [2, 2, 6]), [2, 0, 1])"), "[6, 2, 2]");
  EXPECT_EQ(shape("shard(a, 0, 1, 2, 1)"), "[2, 6]");
  EXPECT_EQ(shape("element(experts, 2)"), "[4, 6]");
  EXPECT_EQ(std::get<Recipe>(value_of("cast(a, 'BF16')", scope)).dtype(), DType::BF16);
  EXPECT_TRUE(std::get<Recipe>(value_of("nothing", scope)).is_nothing());
  const Recipe with = std::get<Recipe>(value_of("with_aux(a, 'scale', b)", scope));
  ASSERT_EQ(with.aux().size(), 1U);
  EXPECT_EQ(with.aux()[0].first, "scale");
  EXPECT_EQ(number_of("rank(a) + extent(a, 0) + length(experts)", scope), 9U);
}

TEST(Values, WhatOperationsRefuseIsTheirOwnError) {
  NamedValues scope;
  scope.values["a"] = weight(0);
  EXPECT_TRUE(fails_with([&] { (void)value_of("slice(a, 0, 3, 9)", scope); }, Errc::shape_mismatch, {"[0, 4)"}));
  EXPECT_TRUE(fails_with([&] { (void)value_of("extent(a, 2)", scope); }, Errc::recipe_invalid, {"no such axis"}));
  EXPECT_TRUE(fails_with([&] { (void)value_of("transpose(a, 0, 2)", scope); }, Errc::recipe_invalid, {"axis 2"}));
}

TEST(Values, EachNeedsListsOfOneLength) {
  NamedValues scope;
  scope.values["gate"] = formula::Tensors{weight(0, 0), weight(0, 1)};
  scope.values["up"] = formula::Tensors{weight(1, 0)};
  EXPECT_EQ(trouble_of("length(each(concat(0, gate, up)))", scope),
            "8: each() of lists that differ in length [2, as many as 'gate' | 1 of 'up']");
}

// A short formula cannot ask for endless work.
TEST(Values, StepsAreBounded) {
  NamedValues scope;
  scope.values["experts"] = formula::Tensors(65'536, weight(0));
  std::string many = "length(experts)";
  for (int i = 0; i < 200; ++i) many += " + length(experts)";
  EXPECT_NE(trouble_of(many, scope).find("the formula takes too many steps"), std::string::npos);
}

}  // namespace
}  // namespace ballast::test
