// What can be wrong with a schema file, each with its message and its place.
#include "schema_file/files.hpp"

namespace ballast::test {
namespace {

constexpr Errc kInvalid = Errc::schema_invalid;
constexpr Errc kFormula = Errc::formula_invalid;

TEST(SchemaFaults, ASoundFileHasNone) {
  const auto policy = parse_schema_file(kSound, "my.json");
  EXPECT_EQ(policy->name(), "tiny");
  EXPECT_EQ(policy->model_types(), std::vector<std::string_view>{"tiny"});
  EXPECT_EQ(policy->architectures(), std::vector<std::string_view>{"TinyModel"});
}

TEST(SchemaFaults, KeysAreKnownAndThere) {
  EXPECT_TRUE(has_only(with(R"("name": "tiny")", R"("nmae": "tiny", "name": "tiny")"), kInvalid,
                       "there is no key 'nmae' here", "nmae, line 3, column 3", {"nearest:  name"}));
  EXPECT_TRUE(has_only(with("\"name\": \"tiny\",", ""), kInvalid, "the key 'name' is missing", "line 1, column 1"));
  EXPECT_TRUE(has_only(with(R"(, "reason": "one layer more")", ""), kInvalid, "the key 'reason' is missing",
                       "container_map.skip[0], line 37, column 14"));
  EXPECT_FALSE(error_of_file(with(R"("base": "Dense",)", R"("base": "Dense", "comment": "said by hand",)")));
}

TEST(SchemaFaults, TheVersionIsKnown) {
  EXPECT_TRUE(has_only(with(R"("ballast_schema": 1)", R"("ballast_schema": 2)"), kInvalid,
                       "a value is of the wrong kind", "ballast_schema, line 2, column 21",
                       {"expected: 1, the version of the format", "got:      2"}));
}

TEST(SchemaFaults, ValuesAreOfTheirKind) {
  EXPECT_TRUE(has_only(with(R"("name": "tiny")", R"("name": 3)"), kInvalid, "a value is of the wrong kind",
                       "name, line 3, column 11", {"expected: a text", "got:      3"}));
  EXPECT_TRUE(has_only(with(R"(["tiny"])", R"([["tiny"]])"), kInvalid, "a value is of the wrong kind",
                       "model_types[0], line 4, column 19", {"got:      an array of 1"}));
  EXPECT_TRUE(has_only(with(R"("rest": "Rest")", R"("rest": {})"), kInvalid, "a value is of the wrong kind",
                       "container_map.rest, line 36, column 13"));
  EXPECT_TRUE(has_only(with(R"("from": "emb.weight")", R"("from": "")"), kInvalid, "a text is empty",
                       "containers.Rest.rules[0].from, line 29, column 26"));
}

TEST(SchemaFaults, NamesAreNames) {
  const char* rule = R"("n_dense": "config.n_dense ?? 0")";
  EXPECT_TRUE(has_only(with(rule, R"("n-x": "0", "n_dense": "0")"), kInvalid, "'n-x' is no name of a number",
                       "context.n-x, line 7, column 5"));
  EXPECT_TRUE(has_only(with(rule, R"("layer": "0", "n_dense": "1")"), kInvalid, "'layer' is not for a file to set",
                       "context.layer, line 7, column 14"));
  std::string text = with(R"({"all": {"list")", R"({"n_heads": {"list")");
  text = with("stack(0, all)", "stack(0, n_heads)", text);
  text = with("experts.all", "experts.n_heads", text);
  EXPECT_TRUE(has_only(text, kInvalid, "dependency 'n_heads' has the name of a number of the model",
                       "parameters.Experts.dependencies.n_heads, line 12, column 45"));
}

TEST(SchemaFaults, DependenciesHaveAKind) {
  EXPECT_TRUE(has_only(with(R"({"params": "optional"})", R"({"params": "optoinal"})"), kInvalid,
                       "there is no such kind of dependency", "parameters.Bias.dependencies.params, line 11, column 41",
                       {R"("single", "optional" or {"list": length})"}));
}

TEST(SchemaFaults, FormulasAreCheckedWithTheirCharacter) {
  EXPECT_TRUE(has_only(with("stack(0, all)", "stack(0, alll)"), kFormula, "there is no 'alll'",
                       "parameters.Experts.recipe, line 12, column 85", {"nearest:  all"}));
  EXPECT_TRUE(has_only(with("stack(0, all)", "stack(0, all"), kFormula, "the formula cannot be read",
                       "parameters.Experts.recipe, line 12, column 88"));
  EXPECT_TRUE(has_only(with("stack(0, all)", "stakc(0, all)"), kFormula, "there is no function 'stakc'",
                       "parameters.Experts.recipe, line 12, column 76", {"nearest:  stack"}));
  EXPECT_TRUE(has_only(with("stack(0, all)", "length(all)"), kFormula, "a part of the formula is of the wrong kind",
                       "parameters.Experts.recipe, line 12, column 76", {"expected: a recipe", "got:      a number"}));
  EXPECT_TRUE(has_only(with("config.n_dense ?? 0", "config.n_dense ?? x"), kFormula, "there is no 'x'",
                       "context.n_dense, line 7, column 35"));
  EXPECT_TRUE(has_only(with("layer < n_dense", "layer < n_dnse"), kFormula, "there is no 'n_dnse'",
                       "container_map.layers[0].choices[0].when, line 34, column 79", {"nearest:  n_dense"}));
  EXPECT_TRUE(has_only(with("h.{n_layers}", "h.{n_layer}"), kFormula, "there is no 'n_layer'",
                       "container_map.skip[0].prefix, line 37, column 29"));
  EXPECT_TRUE(has_only(with("h.{n_layers}", "h.{n_layers"), kFormula, "a brace without its other one",
                       "container_map.skip[0].prefix, line 37, column 28"));
}

// A character of a formula is found behind escapes of the file too: \u0061 is an a.
TEST(SchemaFaults, EscapesDoNotMoveThePlace) {
  EXPECT_TRUE(has_only(with("stack(0, all)", R"(stack(0, \u0061ll, x))"), kFormula, "there is no 'x'",
                       "parameters.Experts.recipe, line 12, column 95"));
}

TEST(SchemaFaults, UsualNumbersStayNumbers) {
  const char* rule = R"("n_dense": "config.n_dense ?? 0")";
  EXPECT_TRUE(has_only(with(rule, R"("n_heads": "[1]", "n_dense": 0)"), kFormula,
                       "a part of the formula is of the wrong kind", "context.n_heads, line 7, column 17",
                       {"expected: a number", "got:      a list"}));
  EXPECT_TRUE(has_only(with(rule, R"("tie_absent_head": 1, "n_dense": 0)"), kFormula,
                       "a part of the formula is of the wrong kind", "context.tie_absent_head, line 7, column 24",
                       {"expected: a condition"}));
}

TEST(SchemaFaults, ListLengthsNameANumber) {
  EXPECT_TRUE(has_only(with(R"({"list": "n_experts"})", R"({"list": "n_exprts"})"), Errc::unknown_list_length,
                       "the length of list 'all' names 'n_exprts', which the model context does not have",
                       "parameters.Experts.dependencies.all.list, line 12, column 50"));
}

TEST(SchemaFaults, WhatIsReferredToIsThere) {
  EXPECT_TRUE(has_only(with(R"({"emb": "Weight"})", R"({"emb": "Wieght"})"), kInvalid,
                       "there is no parameter type 'Wieght'", "containers.Rest.parameters.emb, line 28, column 29",
                       {"nearest:  Weight"}));
  EXPECT_TRUE(has_only(with(R"("base": "Dense")", R"("base": "Dens")"), kInvalid, "there is no container 'Dens'",
                       "containers.Sparse.base, line 23, column 15"));
  EXPECT_TRUE(has_only(with(R"("base": "Dense")", R"("base": "Sparse")"), kInvalid, "a container is its own base",
                       "containers.Sparse.base, line 23, column 15"));
  EXPECT_TRUE(has_only(with(R"("rest": "Rest")", R"("rest": "Rset")"), kInvalid, "there is no container 'Rset'",
                       "container_map.rest, line 36, column 13", {"nearest:  Rest"}));
}

TEST(SchemaFaults, AllOfThemTogether) {
  std::string text = with(R"("name": "tiny")", R"("name": 3)");
  text = with("stack(0, all)", "stakc(0, all)", text);
  text = with(R"("to": "emb.params")", R"("to": "embb.params")", text);
  text = with("h.{n_layers}", "h.{x}", text);
  const auto error = error_of_file(text);
  ASSERT_TRUE(error);
  EXPECT_TRUE(has_fault(error, kInvalid, {"a value is of the wrong kind"}));
  EXPECT_TRUE(has_fault(error, kFormula, {"'stakc'"}));
  EXPECT_TRUE(has_fault(error, Errc::unknown_parameter));
  EXPECT_TRUE(has_fault(error, Errc::dependency_unmapped));
  EXPECT_TRUE(has_fault(error, kFormula, {"there is no 'x'"}));
  EXPECT_EQ(error->total(), 5U);
}

TEST(SchemaFaults, AFileThatIsNotThere) {
  EXPECT_TRUE(fails_with([] { (void)load_schema_file("/no/such.json"); }, Errc::io_open, {"/no/such.json"}));
  EXPECT_TRUE(fails_with([] { (void)load_schema_file("/tmp"); }, Errc::not_a_regular_file));
}

}  // namespace
}  // namespace ballast::test
