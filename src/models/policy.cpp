#include "ballast/policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "ballast/error.hpp"
#include "ballast/models/bert.hpp"
#include "ballast/models/bloom.hpp"
#include "ballast/models/deepseek.hpp"
#include "ballast/models/exaone4.hpp"
#include "ballast/models/falcon.hpp"
#include "ballast/models/gemma.hpp"
#include "ballast/models/glm4_moe.hpp"
#include "ballast/models/gpt2.hpp"
#include "ballast/models/gpt_neox.hpp"
#include "ballast/models/gpt_oss.hpp"
#include "ballast/models/granitemoe.hpp"
#include "ballast/models/llama.hpp"
#include "ballast/models/olmo2.hpp"
#include "ballast/models/opt.hpp"
#include "ballast/models/phi.hpp"
#include "ballast/models/phi3.hpp"
#include "ballast/models/qwen.hpp"
#include "ballast/models/qwen2.hpp"
#include "ballast/models/qwen2_moe.hpp"
#include "ballast/models/qwen3.hpp"
#include "ballast/models/qwen3_moe.hpp"
#include "ballast/models/smollm3.hpp"
#include "ballast/models/starcoder2.hpp"
#include "models/resemblance.hpp"

namespace ballast {

namespace {

bool contains(const std::vector<std::string_view>& names, std::string_view text) {
  return std::find(names.begin(), names.end(), text) != names.end();
}

bool answers_to(const InferencePolicy& policy, std::string_view text) {
  return policy.name() == text || contains(policy.model_types(), text) || contains(policy.architectures(), text);
}

[[noreturn]] void refuse(Errc code, const Catalog& catalog, std::string what, std::string expected, std::string got,
                         std::string cause) {
  Diagnostic d;
  d.code = code;
  d.operation = "choose policy";
  d.file = catalog.config && !catalog.config->path.empty() ? catalog.config->path : catalog.path;
  d.what = std::move(what);
  d.expected = std::move(expected);
  d.got = std::move(got);
  d.cause = std::move(cause);
  throw Error(std::move(d));
}

// A cause, and which known architecture the names look like.
std::string with_likeness(std::string_view cause, const Catalog& catalog, const PolicyRegistry& registry) {
  const std::string like = looks_like(catalog, registry);
  if (like.empty()) return fmt::format("{}\nthe names look like those of no architecture that is known", cause);
  return fmt::format("{}\nthe names look like those of {}", cause, like);
}

}  // namespace

struct PolicyRegistry::State {
  mutable std::mutex mutex;
  std::vector<std::unique_ptr<const InferencePolicy>> policies;
};

PolicyRegistry::PolicyRegistry() : state_(std::make_unique<State>()) {}
PolicyRegistry::~PolicyRegistry() = default;

PolicyRegistry& PolicyRegistry::global() {
  // Listed here rather than by objects that register themselves: a linker drops those from a static library.
  struct BuiltIn : PolicyRegistry {
    BuiltIn() {
      add<models::LlamaPolicy>();
      add<models::MistralPolicy>();
      add<models::MixtralPolicy>();
      add<models::QwenPolicy>();
      add<models::Qwen2Policy>();
      add<models::Qwen2MoePolicy>();
      add<models::Qwen3Policy>();
      add<models::Qwen3MoePolicy>();
      add<models::PhiPolicy>();
      add<models::Phi3Policy>();
      add<models::OptPolicy>();
      add<models::FalconPolicy>();
      add<models::Exaone4Policy>();
      add<models::Exaone45Policy>();
      add<models::Gemma2Policy>();
      add<models::Gemma3Policy>();
      add<models::DeepseekV3Policy>();
      add<models::Glm4MoePolicy>();
      add<models::GptOssPolicy>();
      add<models::Olmo2Policy>();
      add<models::GraniteMoePolicy>();
      add<models::Gpt2Policy>();
      add<models::GptNeoxPolicy>();
      add<models::BloomPolicy>();
      add<models::Starcoder2Policy>();
      add<models::SmolLm3Policy>();
      add<models::BertPolicy>();
    }
  };
  static BuiltIn registry;
  return registry;
}

void PolicyRegistry::add(std::unique_ptr<const InferencePolicy> policy) {
  std::vector<std::string_view> names = policy->model_types();
  for (const std::string_view architecture : policy->architectures()) names.push_back(architecture);
  names.push_back(policy->name());
  const std::lock_guard lock(state_->mutex);
  for (const auto& other : state_->policies)
    for (const std::string_view name : names)
      if (answers_to(*other, name)) {
        Diagnostic d;
        d.code = Errc::invalid_argument;
        d.operation = "register policy";
        d.what =
            fmt::format("policy '{}' answers to '{}', and so does policy '{}'", policy->name(), name, other->name());
        d.expected = "names, model types and architectures of its own";
        d.got = name;
        throw Error(std::move(d));
      }
  state_->policies.push_back(std::move(policy));
}

const InferencePolicy* PolicyRegistry::find(std::string_view text) const {
  const std::lock_guard lock(state_->mutex);
  for (const auto& policy : state_->policies)
    if (answers_to(*policy, text)) return policy.get();
  return nullptr;
}

std::vector<const InferencePolicy*> PolicyRegistry::all() const {
  const std::lock_guard lock(state_->mutex);
  std::vector<const InferencePolicy*> all;
  for (const auto& policy : state_->policies) all.push_back(policy.get());
  return all;
}

const InferencePolicy& PolicyRegistry::choose(const Catalog& catalog, std::string_view model_type) const {
  std::vector<std::string_view> known;
  for (const InferencePolicy* policy : all()) known.push_back(policy->name());
  const std::string choices = fmt::format("one of: {}", fmt::join(known, ", "));
  if (!catalog.config)
    refuse(Errc::config_missing, catalog, "there is no config.json beside the weights",
           "a config.json that states the model's dimensions", "none",
           "copy the model's config.json into the folder, or point to it (--config on the command line, "
           "OpenOptions::config_path in C++)");
  if (!model_type.empty()) {
    if (const InferencePolicy* policy = find(model_type)) return *policy;
    refuse(Errc::unknown_architecture, catalog, fmt::format("there is no policy for the model type '{}'", model_type),
           choices, std::string(model_type), "a misspelt model type");
  }
  const ModelConfig& config = *catalog.config;
  if (const InferencePolicy* policy = config.model_type.empty() ? nullptr : find(config.model_type)) return *policy;
  for (const std::string& architecture : config.architectures)
    if (const InferencePolicy* policy = find(architecture)) return *policy;
  if (config.model_type.empty() && config.architectures.empty())
    refuse(Errc::model_type_missing, catalog, "the config does not say what kind of model this is",
           "\"model_type\" (or \"architectures\")", "neither",
           with_likeness("state it: --model-type on the command line, LoadOptions::model_type in C++", catalog, *this));
  const std::string got = !config.model_type.empty() ? config.model_type : config.architectures.front();
  refuse(
      Errc::unknown_architecture, catalog, fmt::format("there is no policy for models of type '{}'", got), choices, got,
      with_likeness(
          "an architecture that Ballast does not know yet (docs/adding-an-architecture.md shows how to add it), or a "
          "config.json of another model; --model-type loads it as one that is known",
          catalog, *this));
}

}  // namespace ballast
