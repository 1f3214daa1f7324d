// Every policy that is built in: written to a file and loaded through it, it makes the same of every checkpoint.
#include <gtest/gtest.h>

#include <set>

#include "ballast/models/llama.hpp"
#include "ballast/schema_file.hpp"
#include "models/expected.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

std::string policy_of(const std::string& checkpoint) {
  return std::string(PolicyRegistry::global().choose(open_checkpoint(checkpoint_path(checkpoint))).name());
}

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const InferencePolicy* policy : PolicyRegistry::global().all()) names.emplace_back(policy->name());
  return names;
}

class EveryPolicy : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] static const InferencePolicy& policy() { return *PolicyRegistry::global().find(GetParam()); }
};

TEST_P(EveryPolicy, IsTheSameWhenItIsWrittenAgain) {
  const std::string text = export_schema(policy());
  EXPECT_EQ(export_schema(*parse_schema_file(text, "exported.json")), text);
}

TEST_P(EveryPolicy, KeepsItsNames) {
  const auto read = parse_schema_file(export_schema(policy()), "exported.json");
  EXPECT_EQ(read->name(), policy().name());
  EXPECT_EQ(read->model_types(), policy().model_types());
  EXPECT_EQ(read->architectures(), policy().architectures());
}

TEST_P(EveryPolicy, HasACheckpointAmongTheFixtures) {
  std::size_t count = 0;
  for (const std::string& checkpoint : checkpoint_names()) count += policy_of(checkpoint) == GetParam() ? 1 : 0;
  EXPECT_GE(count, 1U);
}

INSTANTIATE_TEST_SUITE_P(All, EveryPolicy, testing::ValuesIn(policy_names()),
                         [](const auto& one) { return one.param; });

class ThroughTheFile : public testing::TestWithParam<std::string> {};

TEST_P(ThroughTheFile, EveryCaseIsAsExpected) {
  PolicyRegistry registry;
  registry.add(
      parse_schema_file(export_schema(*PolicyRegistry::global().find(policy_of(GetParam()))), "exported.json"));
  const Expected expected = read_expected(GetParam());
  ASSERT_FALSE(expected.cases.empty());
  for (const Case& one : expected.cases) {
    SCOPED_TRACE(one.name());
    LoadOptions options = one.options();
    options.policies = &registry;
    const LoadedModel loaded = load(checkpoint_path(GetParam()), options);
    EXPECT_EQ(differences(tensors_of(loaded.model()), one.tensors), "");
    EXPECT_EQ(loaded.report().execute.bytes_read, loaded.plan().bytes_needed);
  }
}

// Also in the layout that the expected digests do not have.
TEST_P(ThroughTheFile, ConcatenatedGatesAreAsCompiled) {
  PolicyRegistry registry;
  registry.add(
      parse_schema_file(export_schema(*PolicyRegistry::global().find(policy_of(GetParam()))), "exported.json"));
  LoadOptions options;
  options.gated_layout = GatedLayout::concatenated;
  const LoadedModel compiled = load(checkpoint_path(GetParam()), options);
  options.policies = &registry;
  const LoadedModel through = load(checkpoint_path(GetParam()), options);
  EXPECT_EQ(differences(tensors_of(through.model()), tensors_of(compiled.model())), "");
}

INSTANTIATE_TEST_SUITE_P(All, ThroughTheFile, testing::ValuesIn(checkpoint_names()),
                         [](const auto& one) { return one.param; });

// ---- all that the tables of a policy can say

struct ExpertsOf {
  DependencyList<&ModelContext::n_experts> experts;
  Recipe finalize(const ModelContext& m) const {
    return m.transform_moe_mlp_1(reshape(stack(experts), {m.n_experts, m.extra.at("expert_dim"), m.model_dim}));
  }
};
struct DenseLayer {
  Parameter<models::Mlp1> mlp_1_w;
  static constexpr auto param_mapping =
      mapping<DenseLayer>(from("up", to<&DenseLayer::mlp_1_w, &models::Mlp1::params>));
};
struct MoeLayer {
  Parameter<ExpertsOf> moe_mlp_1;
  static constexpr auto param_mapping =
      mapping<MoeLayer>(from("experts.*.up", to<&MoeLayer::moe_mlp_1, &ExpertsOf::experts>));
};
struct RichPolicy {
  static constexpr std::string_view name = "rich";
  static constexpr std::array<std::string_view, 2> model_types{"rich", "rich_text"};
  static constexpr std::array<std::string_view, 0> architectures{};
  static ContextRules context() {
    return {{"first_dense", "config.first_k_dense_replace ?? 0"},
            {"expert_dim", "config.moe_intermediate_size"},
            {"dense_layers", "config.mlp_only_layers ?? []"},
            {"has_vision", "config.vision ?? false"}};
  }
  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .optional_root("model")
        .layers({"layers", "blk"},
                {{schema_of<DenseLayer>(), "layer < first_dense || layer in dense_layers"}, {schema_of<MoeLayer>()}})
        .layers({"mtp"}, schema_of<DenseLayer>(), "n_layers / 3")
        .non_transformer({{schema_of<DenseLayer>(), "from_gguf"}, {schema_of<MoeLayer>()}})
        .skip("layers.{n_layers}", "one \"more\"")
        .skip("vision", "no images", "has_vision");
  }
};
TEST(ExportSchema, EverythingInTheTablesIsKept) {
  const DeclaredPolicy<RichPolicy> policy;
  const std::string text = export_schema(policy);
  const auto through = parse_schema_file(text, "rich.json");
  EXPECT_EQ(export_schema(*through), text);
  const ModelConfig config = parse_model_config(
      R"({"hidden_size": 8, "num_hidden_layers": 6, "num_attention_heads": 2, "num_local_experts": 3, "vision": true,
          "moe_intermediate_size": 64, "first_k_dense_replace": 2, "mlp_only_layers": [4]})",
      "config.json");
  const ModelContext m = policy.context(config);
  const ModelContext of_file = through->context(config);
  EXPECT_EQ(of_file.extra, m.extra);
  EXPECT_EQ(of_file.lists, m.lists);
  const ContainerMap a = policy.container_map(m), b = through->container_map(of_file);
  ASSERT_EQ(b.layer_groups().size(), 2U);
  for (std::size_t group = 0; group < 2; ++group) {
    EXPECT_EQ(b.layer_groups()[group].prefixes, a.layer_groups()[group].prefixes);
    std::vector<std::string> names_a, names_b;
    for (const ContainerSchema* schema : a.layer_groups()[group].schemas) names_a.push_back(schema->name());
    for (const ContainerSchema* schema : b.layer_groups()[group].schemas) names_b.push_back(schema->name());
    EXPECT_EQ(names_b, names_a);
  }
  EXPECT_EQ(a.layer_groups()[0].schemas[1]->name(), "DenseLayer");
  EXPECT_EQ(a.layer_groups()[0].schemas[3]->name(), "MoeLayer");
  EXPECT_EQ(a.layer_groups()[0].schemas[4]->name(), "DenseLayer");
  EXPECT_EQ(b.rest()->name(), "MoeLayer");
  EXPECT_EQ(b.roots(), a.roots());
  ASSERT_EQ(b.skips().size(), 2U);
  EXPECT_EQ(b.skips()[0].pattern, "layers.6");
  EXPECT_EQ(b.skips()[0].reason, "one \"more\"");
}

// ---- what cannot be written

struct CodePolicy : models::LlamaPolicy {
  static ModelContext context(const ModelConfig& config) { return ModelContext::from_config(config); }
  static ContainerMap container_map(const ModelContext&) { return ContainerMap(); }
};
TEST(ExportSchema, PoliciesThatAreCodeAreRefused) {
  const DeclaredPolicy<CodePolicy> policy;
  const auto error = error_of([&] { (void)export_schema(policy); });
  EXPECT_TRUE(has_fault(error, Errc::invalid_argument, {"'llama'", "its context is code"}));
  EXPECT_TRUE(has_fault(error, Errc::invalid_argument, {"'llama'", "its container map is code"}));
  EXPECT_EQ(error->total(), 2U);
}

struct CustomNorm {
  Dependency params;
  Recipe finalize(const ModelContext&) const {
    const Recipe x = params;
    return custom("norm", std::array{x}, x.spec(), [](auto, auto) {});
  }
};
struct CustomRest {
  Parameter<CustomNorm> a, b;
  static constexpr auto param_mapping = mapping<CustomRest>(from("a", to<&CustomRest::a, &CustomNorm::params>),
                                                            from("b", to<&CustomRest::b, &CustomNorm::params>));
};
struct CustomPolicy : models::LlamaPolicy {
  static ContainerMapRules container_map() { return ContainerMapRules().non_transformer(schema_of<CustomRest>()); }
};
TEST(ExportSchema, EveryParameterThatIsNoFormulaIsNamed) {
  const DeclaredPolicy<CustomPolicy> policy;
  const auto error = error_of([&] { (void)export_schema(policy); });
  EXPECT_TRUE(has_fault(error, Errc::invalid_argument, {"parameter 'a' (CustomNorm)", "custom operation"}));
  EXPECT_TRUE(has_fault(error, Errc::invalid_argument, {"parameter 'b' (CustomNorm)", "custom operation"}));
}

}  // namespace
}  // namespace ballast::test
