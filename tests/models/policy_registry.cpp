// Policies are found by name, model type and architecture; names are taken once; several threads may ask.
#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "ballast/models/bert.hpp"
#include "ballast/models/llama.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

// A policy that is its names and nothing more.
class Named : public InferencePolicy {
 public:
  Named(std::string policy, std::string model_type, std::string architecture)
      : name_(std::move(policy)), model_type_(std::move(model_type)), architecture_(std::move(architecture)) {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::vector<std::string_view> model_types() const override { return {model_type_}; }
  [[nodiscard]] std::vector<std::string_view> architectures() const override { return {architecture_}; }
  [[nodiscard]] ModelContext context(const ModelConfig&) const override { return {}; }
  [[nodiscard]] ContainerMap container_map(const ModelContext&) const override { return {}; }

 private:
  std::string name_, model_type_, architecture_;
};

void add(PolicyRegistry& registry, const char* policy, const char* model_type, const char* architecture) {
  registry.add(std::make_unique<const Named>(policy, model_type, architecture));
}

TEST(PolicyRegistry, FindsByNameModelTypeAndArchitecture) {
  PolicyRegistry registry;
  add(registry, "a", "a_type", "AForCausalLM");
  add(registry, "b", "b_type", "BForCausalLM");
  for (const char* text : {"b", "b_type", "BForCausalLM"}) {
    ASSERT_NE(registry.find(text), nullptr) << text;
    EXPECT_EQ(registry.find(text)->name(), "b") << text;
  }
  EXPECT_EQ(registry.find("B"), nullptr) << "names are exact";
  EXPECT_EQ(registry.find(""), nullptr);
  EXPECT_EQ(registry.all().size(), 2U);
}

TEST(PolicyRegistry, GlobalOneKnowsItsOwnPolicies) {
  const PolicyRegistry& registry = PolicyRegistry::global();
  for (const char* text : {"llama", "LlamaForCausalLM"}) EXPECT_EQ(registry.find(text)->name(), "llama");
  for (const char* text : {"bert", "BertModel", "BertForMaskedLM"}) EXPECT_EQ(registry.find(text)->name(), "bert");
}

TEST(PolicyRegistry, OwnOneKnowsNothingUntilItIsTold) {
  PolicyRegistry registry;
  EXPECT_TRUE(registry.all().empty());
  registry.add<models::BertPolicy>();
  EXPECT_EQ(registry.find("BertModel")->name(), "bert");
  EXPECT_EQ(registry.find("llama"), nullptr);
}

TEST(PolicyRegistry, ClashesNameBothPoliciesAndTheWord) {
  PolicyRegistry registry;
  add(registry, "a", "a_type", "AForCausalLM");
  const auto expect_clash = [&](const char* policy, const char* model_type, const char* architecture,
                                const char* word) {
    EXPECT_TRUE(fails_with([&] { add(registry, policy, model_type, architecture); }, Errc::invalid_argument,
                           {policy, "'a'", word}));
    EXPECT_EQ(registry.all().size(), 1U);
  };
  expect_clash("a", "other_type", "Other", "'a'");
  expect_clash("other", "a_type", "Other", "'a_type'");
  expect_clash("other", "other_type", "AForCausalLM", "'AForCausalLM'");
  expect_clash("other", "a", "Other", "'a'");  // a model type that is another's name
  add(registry, "other", "other_type", "Other");
  EXPECT_EQ(registry.all().size(), 2U);
}

TEST(PolicyRegistry, MayBeUsedFromSeveralThreads) {
  PolicyRegistry registry;
  add(registry, "first", "first_type", "First");
  const InferencePolicy* first = registry.find("first");
  std::array<int, 4> found{};
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < found.size(); ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < 50; ++i) {
          const std::string own = "policy_" + std::to_string(t) + "_" + std::to_string(i);
          registry.add(std::make_unique<const Named>(own, own + "_type", own + "_architecture"));
          found[t] += registry.find(own + "_type") != nullptr && registry.find("first") == first ? 1 : 0;
        }
      });
  }
  for (const int count : found) EXPECT_EQ(count, 50);
  EXPECT_EQ(registry.all().size(), 201U);
}

}  // namespace
}  // namespace ballast::test
