// What binds how, and what is said of a text that is no formula.
#include "formula/formulas.hpp"

namespace ballast::test {
namespace {

using formula::Kind;

TEST(Grammar, OperatorsBindAsInC) {
  NamedValues scope;
  for (const auto& [text, value] : std::map<std::string, std::uint64_t>{{"2 + 3 * 4", 14},
                                                                        {"(2 + 3) * 4", 20},
                                                                        {"20 - 3 - 2", 15},
                                                                        {"24 / 4 / 2", 3},
                                                                        {"7 % 4 * 2", 6},
                                                                        {"1 + 2 == 3 && 2 < 3", 1},
                                                                        {"1 > 2 || 2 >= 2", 1},
                                                                        {"!(1 == 2)", 1},
                                                                        {"1 == 2 ? 3 : 2 == 2 ? 4 : 5", 4},
                                                                        {"3 in [1, 2, 3]", 1},
                                                                        {"4 in []", 0},
                                                                        {"1 != 1 ? 2 : 3 + 1", 4}})
    EXPECT_EQ(number_of(text, scope), value) << text;
}

TEST(Grammar, WhatIsAbsentGivesWay) {
  NamedValues scope;
  scope.config["config.b"] = std::uint64_t{7};
  EXPECT_EQ(number_of("config.a ?? 5", scope), 5U);
  EXPECT_EQ(number_of("config.b ?? 5", scope), 7U);
  EXPECT_EQ(number_of("config.a ?? config.b ?? 5", scope), 7U);
  EXPECT_EQ(number_of("config.a ?? 2 * 3", scope), 6U);
  EXPECT_EQ(number_of("config.c ?? 1 == 1 ? 8 : 9", scope), 8U);
}

TEST(Grammar, OnlyWhatCountsIsEvaluated) {
  NamedValues scope;
  EXPECT_EQ(number_of("1 == 1 ? 2 : 1 / 0", scope), 2U);
  EXPECT_EQ(number_of("1 == 1 || 1 / 0 == 1", scope), 1U);
  EXPECT_EQ(number_of("1 == 2 && 1 / 0 == 1", scope), 0U);
}

TEST(Grammar, FaultsSayWhereAndWhatWasExpected) {
  const formula::Names names;
  const auto fault = [&](const std::string& text) { return faults_of(text, names, Kind::number); };
  EXPECT_EQ(fault(""), "1: the formula cannot be read [a number, a name, a function or '(' | its end | ]\n");
  EXPECT_EQ(fault("1 +"), "4: the formula cannot be read [a number, a name, a function or '(' | its end | ]\n");
  EXPECT_EQ(fault("1 2"), "3: the formula cannot be read [an operator, or the end | '2' | ]\n");
  EXPECT_EQ(fault("(1 + 2"), "7: the formula cannot be read [')' | its end | ]\n");
  EXPECT_EQ(fault("min(1 2)"), "7: the formula cannot be read [',' or ')' | '2)' | ]\n");
  EXPECT_EQ(fault("1 ? 2"), "6: the formula cannot be read [':' and what counts otherwise | its end | ]\n");
  EXPECT_EQ(fault("12x"), "1: the formula cannot be read [a whole number | '12x' | ]\n");
  EXPECT_EQ(fault("a.b"), "1: the formula cannot be read [a name without dots, or config... or gguf... | 'a.b' | ]\n");
  EXPECT_EQ(fault("config..b"), "1: the formula cannot be read [a key after each dot | 'config..b' | ]\n");
  EXPECT_EQ(fault("'x"), "1: the formula cannot be read [a closing quote | ''x' | ]\n");
  EXPECT_EQ(fault("1 $ 2"), "3: the formula cannot be read [an operator, or the end | '$ 2' | ]\n");
  EXPECT_EQ(fault("99999999999999999999"), "1: the number is too large [one below 2^64 | 99999999999999999999 | ]\n");
}

TEST(Grammar, NestingLengthAndPartsAreBounded) {
  const formula::Names names;
  const std::string deep = std::string(100, '(') + "1" + std::string(100, ')');
  EXPECT_NE(faults_of(deep, names, Kind::number).find("less nesting"), std::string::npos);
  EXPECT_NE(faults_of(std::string(100, '!') + "true", names, Kind::boolean).find("less nesting"), std::string::npos);
  std::string nested = "1";
  for (int i = 0; i < 100; ++i) nested = "true ? " + nested + " : 2";
  EXPECT_NE(faults_of(nested, names, Kind::number).find("less nesting"), std::string::npos);
  std::string wide = "1";
  for (int i = 0; i < 3000; ++i) wide += "+1";
  EXPECT_NE(faults_of(wide, names, Kind::number).find("too many parts"), std::string::npos);
  EXPECT_NE(faults_of(std::string(20'000, ' ') + "1", names, Kind::number).find("too long"), std::string::npos);
  EXPECT_EQ(faults_of(std::string(50, '(') + "1" + std::string(50, ')'), names, Kind::number), "");
}

// The same grammar, while compiling: what is no formula does not compile (tests/compile_fail).
TEST(Grammar, FormulasInHeadersAreChecked) {
  constexpr FormulaText formula("config.n_inner ?? 4 * model_dim");
  EXPECT_EQ(formula.text(), "config.n_inner ?? 4 * model_dim");
}

}  // namespace
}  // namespace ballast::test
