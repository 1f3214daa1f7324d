// Checkpoints loaded through a schema file that a person wrote: choices of containers, lists, optional dependencies.
#include <fstream>

#include "ballast/digest.hpp"
#include "ballast/load.hpp"
#include "schema_file/files.hpp"
#include "support/bytes.hpp"
#include "support/safetensors_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

// Two layers, the first dense and the second with three experts; values count up.
void write_tiny(const TempFolder& folder, bool bias) {
  const auto values = [](std::size_t n, float first) {
    std::vector<float> all;
    for (std::size_t i = 0; i < n; ++i) all.push_back(first + static_cast<float>(i));
    return all;
  };
  SafetensorsWriter writer;
  writer.tensor("emb.weight", DType::F32, {2, 4}, bytes_of(std::span<const float>(values(8, 0))));
  for (int layer = 0; layer < 2; ++layer)
    writer.tensor(fmt::format("h.{}.w.weight", layer), DType::F32, {4},
                  bytes_of(std::span<const float>(values(4, static_cast<float>(10 * layer)))));
  if (bias) writer.tensor("h.1.bias", DType::F32, {1}, bytes_of({7.0F}));
  for (int expert = 0; expert < 3; ++expert)
    writer.tensor(fmt::format("h.1.experts.{}.weight", expert), DType::F32, {2},
                  bytes_of(std::span<const float>(values(2, static_cast<float>(100 * expert)))));
  writer.tensor("h.2.w.weight", DType::F32, {4});  // skipped: one layer more
  (void)writer.write(folder / "model.safetensors");
  folder.write("config.json", R"({"model_type": "tiny", "hidden_size": 4, "num_hidden_layers": 2, "n_dense": 1,
                                  "num_attention_heads": 1, "num_local_experts": 3})");
}

LoadedModel load_with(const PolicyRegistry& registry, const std::string& path) {
  LoadOptions options;
  options.policies = &registry;
  return load(path, options);
}

std::vector<float> values_of(const Tensor& tensor) {
  return {tensor.as<float>(), tensor.as<float>() + tensor.shape.numel()};
}

TEST(SchemaLoading, ContainersAreChosenLayerByLayer) {
  PolicyRegistry registry;
  registry.add(parse_schema_file(kSound, "my.json"));
  const TempFolder folder;
  write_tiny(folder, true);
  const LoadedModel loaded = load_with(registry, folder.path());
  const std::vector<LayerContainer>& containers = loaded.model().containers();
  ASSERT_EQ(containers.size(), 3U);
  EXPECT_EQ(containers[0].schema().name(), "Dense");
  EXPECT_EQ(containers[1].schema().name(), "Sparse");
  EXPECT_EQ(containers[2].schema().name(), "Rest");
  EXPECT_EQ(containers[1].schema().parameters().back().type, "Experts");
  const ParameterState& experts = containers[1].parameters().back();
  EXPECT_EQ(to_string(experts.tensor().shape), "[3, 2]");
  EXPECT_EQ(values_of(experts.tensor()), (std::vector<float>{0, 1, 100, 101, 200, 201}));
  EXPECT_EQ(loaded.report().skipped.size(), 1U);
  EXPECT_TRUE(loaded.model().is_populated());
}

TEST(SchemaLoading, OptionalDependenciesMayBeAbsent) {
  PolicyRegistry registry;
  registry.add(parse_schema_file(kSound, "my.json"));
  for (const bool bias : {false, true}) {
    const TempFolder folder;
    write_tiny(folder, bias);
    const LoadedModel loaded = load_with(registry, folder.path());
    const ParameterState& b = loaded.model().containers()[1].parameters()[1];
    EXPECT_EQ(b.name(), "b");
    EXPECT_EQ(b.value().has_tensor(), bias);
    EXPECT_FALSE(loaded.model().containers()[0].parameters()[1].value().has_tensor());
  }
}

// Recipes can still fail, with the numbers of a model: an error of the plan that names the formula.
TEST(SchemaLoading, RecipesThatFailNameTheirFormula) {
  PolicyRegistry registry;
  registry.add(parse_schema_file(with("stack(0, all)", "slice(stack(0, all), 0, 0, n_experts - 4)"), "my.json"));
  const TempFolder folder;
  write_tiny(folder, true);
  EXPECT_TRUE(fails_with([&] { (void)load_with(registry, folder.path()); }, Errc::recipe_invalid,
                         {"a number leaves its range", "transformer_layer_1.experts", "3 - 4", "n_experts - 4"}));
}

TEST(SchemaLoading, WhatTheConfigLacksIsSaid) {
  PolicyRegistry registry;
  registry.add(parse_schema_file(with("config.n_dense ?? 0", "config.n_dense_layers"), "my.json"));
  const TempFolder folder;
  write_tiny(folder, true);
  EXPECT_TRUE(fails_with([&] { (void)load_with(registry, folder.path()); }, Errc::context_invalid,
                         {"n_dense: the config does not say 'n_dense_layers'"}));
}

// An architecture that nobody compiled in, by a file that a person wrote, against digests from elsewhere.
TEST(SchemaLoading, SeedOssFromTheExamples) {
  const std::string examples = BALLAST_FIXTURES "/../../examples";
  PolicyRegistry registry;
  registry.add(load_schema_file(examples + "/schema/seed_oss.json"));
  std::map<std::string, std::string> expected, got;
  std::ifstream file(examples + "/cmake_project/tiny_seed_oss/expected.txt");
  std::string size, rank, parameter, digest_text;
  while (file >> size >> rank >> parameter >> digest_text) expected[size + " " + rank + " " + parameter] = digest_text;
  ASSERT_GE(expected.size(), 30U);
  LoadOptions options;
  options.policies = &registry;
  for (options.tp_size = 1; options.tp_size <= 2; ++options.tp_size)
    for (options.tp_rank = 0; options.tp_rank < options.tp_size; ++options.tp_rank) {
      const LoadedModel loaded = load(examples + "/cmake_project/tiny_seed_oss", options);
      for (const LayerContainer& container : loaded.model().containers())
        for (const ParameterState& one : container.parameters())
          got[fmt::format("{} {} {}.{}", options.tp_size, options.tp_rank, container.name(), one.name())] =
              digest(one.tensor());
    }
  EXPECT_EQ(got, expected);
}

}  // namespace
}  // namespace ballast::test
