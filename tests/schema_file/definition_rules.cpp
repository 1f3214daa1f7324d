// D1 to D8: the same codes and sentences as for schemas that are made at run time, with the place in the file.
#include "mapping/schemas.hpp"
#include "schema_file/files.hpp"

namespace ballast::test {
namespace {

// A file whose one container "layer" has these parameters and rules.
std::string file_with(const std::string& parameters, const std::string& rules) {
  return fmt::format(R"json({{
"ballast_schema": 1, "name": "x",
"parameters": {{
  "Weight": {{"dependencies": {{"params": "single"}}, "recipe": "params"}},
  "Qkv": {{"dependencies": {{"q_params": "single", "k_params": "single", "v_params": "single"}}, "recipe": "q_params"}},
  "Experts": {{"dependencies": {{"experts": {{"list": "n_experts"}}}}, "recipe": "stack(0, experts)"}}
}},
"containers": {{"layer": {{
  "parameters": {{{}}},
  "rules": [
{}
  ]}}}},
"container_map": {{"rest": "layer"}}
}})json",
                     parameters, rules);
}

// The same fault in both: `file` must say what `made` says, and where in the file.
void expect_same(const std::string& file, const std::function<void()>& made, Errc code, std::string_view place) {
  SCOPED_TRACE(place);
  const auto of_file = error_of_file(file);
  const auto of_made = error_of(made);
  ASSERT_TRUE(of_file);
  ASSERT_TRUE(of_made);
  ASSERT_EQ(of_file->total(), of_made->total()) << of_file->what() << "\n\n" << of_made->what();
  const Diagnostic& a = of_file->diagnostics().front();
  const Diagnostic& b = of_made->diagnostics().front();
  EXPECT_EQ(a.code, code);
  EXPECT_EQ(a.code, b.code);
  EXPECT_EQ(a.what, b.what);
  EXPECT_EQ(a.container, b.container);
  EXPECT_EQ(a.parameter, b.parameter);
  EXPECT_EQ(a.dependency, b.dependency);
  EXPECT_EQ(a.expected, b.expected);
  EXPECT_EQ(a.got, b.got);
  EXPECT_EQ(a.place, place);
  EXPECT_EQ(a.file, "my.json");
}

TEST(SchemaDefinition, D1Targets) {
  expect_same(
      file_with(R"("w": "Weight")", R"({"from": "a", "to": ["w.params", "v.params"]})"),
      [] {
        (void)layer({weight("w")}, {{"a", {"w.params", "v.params"}}});
      },
      Errc::unknown_parameter, "containers.layer.rules[0], line 11, column 1");
  expect_same(
      file_with(R"("w": "Weight")", R"({"from": "a", "to": ["w.params", "w.parms"]})"),
      [] {
        (void)layer({weight("w")}, {{"a", {"w.params", "w.parms"}}});
      },
      Errc::unknown_dependency, "containers.layer.rules[0], line 11, column 1");
  expect_same(
      file_with(R"("w": "Weight")", R"({"from": "a", "to": "params"})"),
      [] {
        (void)layer({weight("w")}, {{"a", {"params"}}});
      },
      Errc::malformed_target, "containers.layer.rules[0].to, line 11, column 21");
}

TEST(SchemaDefinition, D2FilledOnce) {
  expect_same(
      file_with(R"("qkv_w": "Qkv")",
                "{\"from\": \"q\", \"to\": \"qkv_w.q_params\"},\n"
                "{\"from\": \"k\", \"to\": \"qkv_w.k_params\"}"),
      [] {
        (void)layer({qkv("qkv_w")}, {{"q", {"qkv_w.q_params"}}, {"k", {"qkv_w.k_params"}}});
      },
      Errc::dependency_unmapped, "containers.layer.parameters.qkv_w, line 9, column 27");
  expect_same(
      file_with(R"("w": "Weight")",
                "{\"from\": \"a\", \"to\": \"w.params\"},\n{\"from\": \"b\", \"to\": \"w.params\"}"),
      [] {
        (void)layer({weight("w")}, {{"a", {"w.params"}}, {"b", {"w.params"}}});
      },
      Errc::dependency_mapped_twice, "containers.layer.rules[1], line 12, column 1");
}

TEST(SchemaDefinition, D3RulesHaveATarget) {
  expect_same(
      file_with(R"("w": "Weight")", "{\"from\": \"a\", \"to\": \"w.params\"},\n{\"from\": \"b\", \"to\": []}"),
      [] {
        (void)layer({weight("w")}, {{"a", {"w.params"}}, {"b", {}}});
      },
      Errc::rule_without_target, "containers.layer.rules[1], line 12, column 1");
}

TEST(SchemaDefinition, D4Wildcards) {
  expect_same(
      file_with(R"("e": "Experts")", R"({"from": "experts.weight", "to": "e.experts"})"),
      [] {
        (void)layer({experts("e")}, {{"experts.weight", {"e.experts"}}});
      },
      Errc::wildcard_count, "containers.layer.rules[0], line 11, column 1");
  expect_same(
      file_with(R"("e": "Experts", "w": "Weight")", R"({"from": "x.*.y", "to": ["e.experts", "w.params"]})"),
      [] {
        (void)layer({experts("e"), weight("w")}, {{"x.*.y", {"e.experts", "w.params"}}});
      },
      Errc::mixed_targets, "containers.layer.rules[0], line 11, column 1");
}

TEST(SchemaDefinition, D5SourcesOnce) {
  expect_same(
      file_with(R"("v": "Weight", "w": "Weight")",
                "{\"from\": \"a\", \"to\": \"v.params\"},\n{\"from\": \"a\", \"to\": \"w.params\"}"),
      [] {
        (void)layer({weight("v"), weight("w")}, {{"a", {"v.params"}}, {"a", {"w.params"}}});
      },
      Errc::duplicate_pattern, "containers.layer.rules[1], line 12, column 1");
  expect_same(
      file_with(R"("w": "Weight")", R"({"from": "a..b", "to": "w.params"})"),
      [] {
        (void)layer({weight("w")}, {{"a..b", {"w.params"}}});
      },
      Errc::invalid_pattern, "containers.layer.rules[0], line 11, column 1");
  expect_same(
      file_with(R"("v": "Weight", "w": "Weight")",
                "{\"from\": \"*.a.b\", \"to\": \"v.params\"},\n{\"from\": \"*.b\", \"to\": \"w.params\"}"),
      [] {
        (void)layer({weight("v"), weight("w")}, {{"*.a.b", {"v.params"}}, {"*.b", {"w.params"}}});
      },
      Errc::ambiguous_patterns, "containers.layer.rules[1], line 12, column 1");
}

// D6: a child has what its base has, hides what it declares anew, and is judged as a whole.
TEST(SchemaDefinition, D6Bases) {
  const std::string child = R"("Sparse": {
      "base": "Dense",
      "parameters": {"experts": "Experts"},
      "rules": [{"from": "experts.*.weight", "to": "experts.all"}])";
  EXPECT_TRUE(has_only(with(R"({"from": "experts.*.weight", "to": "experts.all"})", ""), Errc::dependency_unmapped,
                       "no rule fills 'experts.all'", "containers.Sparse.parameters.experts, line 24, column 33"));
  EXPECT_FALSE(error_of_file(with(child, R"("Sparse": {
      "base": "Dense",
      "parameters": {"w": "Experts"},
      "rules": [{"from": "experts.*.weight", "to": "w.all"}])")));
}

// D8: a container without rules is filled by hand.
TEST(SchemaDefinition, D8NoRules) { EXPECT_FALSE(error_of_file(file_with(R"("w": "Weight")", ""))); }

}  // namespace
}  // namespace ballast::test
