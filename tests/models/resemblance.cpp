// Where names do not fit, it is said which known architecture they look like.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>

#include "ballast/models/bert.hpp"
#include "ballast/models/llama.hpp"
#include "models/expected.hpp"
#include "models/tiny_llama.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

std::optional<Error> error_as(const std::string& path, const std::string& model_type) {
  bool has_read = false;
  LoadOptions options = without_reading(has_read);
  options.model_type = model_type;
  auto error = error_of([&] { (void)load(path, options); });
  EXPECT_FALSE(has_read);
  return error;
}

Catalog named(const std::vector<std::string>& names) {
  Catalog catalog;
  catalog.path = "/models/m";
  catalog.files.emplace_back().path = "/models/m/model.safetensors";
  for (const std::string& name : names) catalog.tensors.push_back({name, DType::F32, {1}, 0, 0, 4});
  return catalog;
}

std::vector<std::string> llama_names(int layers) {
  std::vector<std::string> names{"model.embed_tokens.weight", "lm_head.weight", "model.norm.weight"};
  for (int l = 0; l < layers; ++l)
    for (const char* local :
         {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj", "mlp.gate_proj",
          "mlp.up_proj", "mlp.down_proj", "input_layernorm", "post_attention_layernorm"})
      names.push_back(fmt::format("model.layers.{}.{}.weight", l, local));
  return names;
}

// How a policy fares among Llama and BERT; whichever is not asked for is the other.
Resemblance of(const Catalog& catalog, std::string_view name) {
  PolicyRegistry policies;
  policies.add<models::LlamaPolicy>();
  policies.add<models::BertPolicy>();
  for (const Resemblance& one : policies.resemblances(catalog))
    if (one.policy->name() == name) return one;
  ADD_FAILURE() << "no resemblance for " << name;
  return {};
}

TEST(Resemblance, CountsTheNamesThatAPolicyKnows) {
  std::vector<std::string> names = llama_names(32);
  ASSERT_EQ(names.size(), 291U);
  const Resemblance llama = of(named(names), "llama");
  EXPECT_EQ(llama.names, 291U);
  EXPECT_EQ(llama.known, 291U);
  EXPECT_EQ(llama.placed, 291U);
  EXPECT_EQ(llama.lacking, 0U);
  const Resemblance bert = of(named(names), "bert");
  EXPECT_EQ(bert.placed, 0U);
  EXPECT_GT(bert.lacking, 10U);
}

TEST(Resemblance, SkippedNamesAreKnownAndStraysAreNot) {
  std::vector<std::string> names = llama_names(2);
  names.push_back("model.layers.0.self_attn.rotary_emb.inv_freq");
  names.push_back("stray");
  const Resemblance llama = of(named(names), "llama");
  EXPECT_EQ(llama.names, 23U);
  EXPECT_EQ(llama.known, 22U);
  EXPECT_EQ(llama.placed, 21U);
}

TEST(Resemblance, LayersBeyondTheConfigAreNamesOfTheArchitectureToo) {
  Catalog catalog = named(llama_names(32));
  catalog.config =
      parse_model_config(R"({"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4})", "config.json");
  EXPECT_EQ(of(catalog, "llama").known, 291U);
}

TEST(Resemblance, TheBestComesFirst) {
  EXPECT_EQ(PolicyRegistry::global().resemblances(named(llama_names(4))).front().policy->name(), "llama");
  EXPECT_EQ(PolicyRegistry::global().resemblances(open_checkpoint(checkpoint_path("bert_f32"))).front().policy->name(),
            "bert");
}

// Some names of a form stand for all of it: the counts are those of all names.
TEST(Resemblance, OfManyNamesLooksAtSome) {
  std::vector<std::string> names = llama_names(1000);
  for (int i = 0; i < 80'000; ++i) names.push_back(fmt::format("model.layers.{}.mixer.w{}", i / 256, i % 256));
  const auto start = std::chrono::steady_clock::now();
  const Resemblance llama = of(named(names), "llama");
  EXPECT_EQ(llama.names, 89'003U);
  EXPECT_EQ(llama.placed, 9'003U);
  // No machine misses this while the names that are looked at are bounded.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(Resemblance, OfHostileNamesIsBounded) {
  std::vector<std::string> names(100'000);
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = fmt::format("{}a.{}", i, std::string(i % 50, '.'));
  const Resemblance llama = of(named(names), "llama");
  EXPECT_LE(llama.names, 100'000U);
  EXPECT_EQ(llama.placed, 0U);
}

TEST(LooksLike, AnotherArchitecture) {
  const auto error = error_as(checkpoint_path("bert_f32"), "llama");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), Errc::another_architecture);
  EXPECT_TRUE(
      has_fault(error, Errc::another_architecture,
                {"the names look like those of 'bert', not of 'llama'", "names of 'llama', which 0 of 39 names are",
                 "39 of 39 names are those of 'bert'", "--model-type"}));
  EXPECT_TRUE(has_fault(error_as(checkpoint_path("llama_mha_f32"), "bert"), Errc::another_architecture,
                        {"the names look like those of 'llama', 'mistral'", "not of 'bert'"}));
}

TEST(LooksLike, AnotherArchitectureAlsoOfAGgufFile) {
  EXPECT_TRUE(has_fault(error_as(checkpoint_path("llama_gguf_f16"), "bert"), Errc::another_architecture, {"'llama'"}));
}

// A registry that holds one policy, as that of a load with the policy known while compiling.
TEST(LooksLike, OneThatTheRegistryDoesNotHold) {
  const auto error = error_of([&] {
    LoadOptions options;
    options.model_type = "llama";
    (void)load<models::LlamaPolicy>(checkpoint_path("bert_f32"), options);
  });
  EXPECT_TRUE(has_fault(error, Errc::another_architecture, {"the names look like those of 'bert', not of 'llama'"}));
}

TEST(LooksLike, NoneThatIsKnown) {
  const TempFolder folder;
  TinyLlama().write(folder);
  SafetensorsWriter writer;
  for (int i = 0; i < 4; ++i) writer.tensor(fmt::format("h.{}.mixer.in_proj", i), DType::F32, {1});
  (void)writer.write(folder / "model.safetensors");
  EXPECT_TRUE(has_fault(
      error_as(folder.path(), {}), Errc::another_architecture,
      {"no architecture that is known", "names of 'llama', which 0 of 4 names are", "adding-an-architecture"}));
}

TEST(LooksLike, NothingIsSaidOfACheckpointThatLacksOrHasSomething) {
  const TempFolder folder;
  TinyLlama tiny;
  tiny.write(folder);
  (void)tiny.weights().tensor("stray", DType::F32, {1}).write(folder / "model.safetensors");
  EXPECT_EQ(count_faults(error_as(folder.path(), {}), Errc::another_architecture), 0U);
  tiny.has_head = false;
  tiny.layers = 5;
  EXPECT_EQ(count_faults(error_as(tiny.write(folder), {}), Errc::another_architecture), 0U);
}

// A name that another architecture has too, while the rest of that one is not there.
TEST(LooksLike, NothingIsSaidOfAStrayNameThatAnotherArchitectureKnows) {
  const TempFolder folder;
  TinyLlama tiny;
  tiny.write(folder);
  (void)tiny.weights()
      .tensor("model.layers.0.self_attn.q_norm.weight", DType::F32, {1})
      .write(folder / "model.safetensors");
  EXPECT_EQ(count_faults(error_as(folder.path(), {}), Errc::another_architecture), 0U);
}

TEST(LooksLike, TheArchitectureWhoseNamesAreAllThere) {
  EXPECT_TRUE(has_fault(error_as(checkpoint_path("qwen3_f16"), "llama"), Errc::another_architecture,
                        {"the names look like those of 'qwen3'", "not of 'llama'"}));
}

// Two models in one folder: each of their names is said, and the model is still the one that the config says.
TEST(LooksLike, NothingIsSaidOfTwoModelsMixedUp) {
  const TempFolder folder;
  TinyLlama tiny;
  tiny.write(folder);
  SafetensorsWriter mixed = tiny.weights();
  for (int l = 0; l < 2; ++l)
    mixed.tensor(fmt::format("encoder.layer.{}.attention.self.query.weight", l), DType::F32, {1});
  (void)mixed.write(folder / "model.safetensors");
  const auto error = error_as(folder.path(), {});
  EXPECT_TRUE(
      has_fault(error, Errc::name_unclaimed, {"2 tensors", "encoder.layer.{0..1}.attention.self.query.weight"}));
  EXPECT_EQ(error->total(), 1U);
}

TEST(LooksLike, IsSaidOfAnUnknownModelType) {
  const TempFolder folder;
  TinyLlama tiny;
  tiny.architectures.clear();
  tiny.model_type = R"("model_type": "quokka",)";
  EXPECT_TRUE(has_fault(error_as(tiny.write(folder), {}), Errc::unknown_architecture,
                        {"'quokka'", "the names look like those of 'llama', 'mistral'", "(21 of 21 names)"}));
  tiny.model_type.clear();
  EXPECT_TRUE(has_fault(error_as(tiny.write(folder), {}), Errc::model_type_missing,
                        {"the names look like those of 'llama', 'mistral'", "(21 of 21 names)"}));
  (void)SafetensorsWriter().tensor("w", DType::F32, {1}).write(folder / "model.safetensors");
  EXPECT_TRUE(has_fault(error_as(folder.path(), {}), Errc::model_type_missing,
                        {"the names look like those of no architecture that is known"}));
}

// Also where the config lacks the numbers that a policy needs: they are taken from the names.
TEST(LooksLike, IsSaidWithoutNumbersInTheConfig) {
  const TempFolder folder;
  TinyLlama().write(folder);
  folder.write("config.json", R"({"model_type": "quokka"})");
  EXPECT_TRUE(
      has_fault(error_as(folder.path(), {}), Errc::unknown_architecture, {"'llama', 'mistral'", "(21 of 21 names)"}));
}

// A policy whose code throws at the config of another model is passed over.
TEST(LooksLike, PolicyThatCannotReadTheConfigIsPassedOver) {
  struct Fussy : InferencePolicy {
    [[nodiscard]] std::string_view name() const override { return "fussy"; }
    [[nodiscard]] std::vector<std::string_view> model_types() const override { return {}; }
    [[nodiscard]] std::vector<std::string_view> architectures() const override { return {}; }
    [[nodiscard]] ModelContext context(const ModelConfig&) const override { throw std::out_of_range("no"); }
    [[nodiscard]] ContainerMap container_map(const ModelContext&) const override { throw std::out_of_range("no"); }
  };
  PolicyRegistry policies;
  policies.add(std::make_unique<Fussy>());
  policies.add<models::LlamaPolicy>();
  const auto all = policies.resemblances(named(llama_names(2)));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].policy->name(), "llama");
}

}  // namespace
}  // namespace ballast::test
