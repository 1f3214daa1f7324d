// Policies: one for each architecture. A policy reads a config, declares containers and says which names go where.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/catalog.hpp"
#include "ballast/container_map.hpp"
#include "ballast/model_context.hpp"
#include "ballast/policy_rules.hpp"

namespace ballast {

class InferencePolicy {
 public:
  virtual ~InferencePolicy() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;  // "llama"
  // What checkpoints call it: "model_type" of config.json and "general.architecture" of GGUF; "architectures".
  [[nodiscard]] virtual std::vector<std::string_view> model_types() const = 0;
  [[nodiscard]] virtual std::vector<std::string_view> architectures() const = 0;
  // The numbers of a model. Throws Error(context_invalid) where the config lacks one.
  [[nodiscard]] virtual ModelContext context(const ModelConfig& config) const = 0;
  [[nodiscard]] virtual ContainerMap container_map(const ModelContext& context) const = 0;
  // The tables that the two above follow; null where they are code. A policy that has both can be written to a schema
  // file (schema_file.hpp).
  [[nodiscard]] virtual const ContextRules* context_rules() const { return nullptr; }
  [[nodiscard]] virtual const ContainerMapRules* container_map_rules() const { return nullptr; }
};

namespace detail {

template <class P>
concept HasContextCode = requires(const ModelConfig& config) {
  { P::context(config) } -> std::same_as<ModelContext>;
};
template <class P>
concept HasContextRules = requires {
  { P::context() } -> std::same_as<ContextRules>;
};
template <class P>
concept HasContainerMapCode = requires(const ModelContext& context) {
  P::container_map(context);
};

}  // namespace detail

// A policy from a plain struct:
//   struct LlamaPolicy {
//     static constexpr std::string_view name = "llama";
//     static constexpr std::array<std::string_view, 1> model_types{"llama"};
//     static constexpr std::array<std::string_view, 1> architectures{"LlamaForCausalLM"};
//     static ContextRules context();           // may be left out where all is as usual
//     static ContainerMapRules container_map();
//     using Layer = LlamaLayer;                // for typed access: TypedModel::layer(i)
//     using NonTransformer = LlamaNonTransformer;
//   };
// Where tables do not do, code does: ModelContext context(const ModelConfig&), ContainerMap container_map(const
// ModelContext&).
template <class P>
class DeclaredPolicy final : public InferencePolicy {
 public:
  [[nodiscard]] std::string_view name() const override { return P::name; }
  [[nodiscard]] std::vector<std::string_view> model_types() const override {
    return {P::model_types.begin(), P::model_types.end()};
  }
  [[nodiscard]] std::vector<std::string_view> architectures() const override {
    return {P::architectures.begin(), P::architectures.end()};
  }
  [[nodiscard]] ModelContext context(const ModelConfig& config) const override {
    if constexpr (detail::HasContextCode<P>)
      return P::context(config);
    else
      return context_rules()->evaluate(config);
  }
  [[nodiscard]] ContainerMap container_map(const ModelContext& context) const override {
    if constexpr (detail::HasContainerMapCode<P>)
      return P::container_map(context);
    else
      return container_map_rules()->evaluate(context);
  }
  [[nodiscard]] const ContextRules* context_rules() const override {
    if constexpr (detail::HasContextCode<P>) {
      return nullptr;
    } else if constexpr (detail::HasContextRules<P>) {
      static const ContextRules rules = P::context();
      return &rules;
    } else {
      static const ContextRules usual;
      return &usual;
    }
  }
  [[nodiscard]] const ContainerMapRules* container_map_rules() const override {
    if constexpr (detail::HasContainerMapCode<P>) {
      return nullptr;
    } else {
      static const ContainerMapRules rules = P::container_map();
      return &rules;
    }
  }
};

// How well the names of a checkpoint fit a policy, whatever its config says: layers and experts beyond the model count
// as known.
struct Resemblance {
  const InferencePolicy* policy = nullptr;
  std::uint64_t names = 0;    // of the checkpoint
  std::uint64_t known = 0;    // of them, those that the policy has a place for, or skips on purpose
  std::uint64_t placed = 0;   // of them, those that it has a place for
  std::uint64_t lacking = 0;  // parameters of the policy for which there is no name in any layer
};

// Policies by name. Safe to use from several threads; a policy that has been added stays until the registry goes.
class PolicyRegistry {
 public:
  PolicyRegistry();
  ~PolicyRegistry();
  PolicyRegistry(const PolicyRegistry&) = delete;
  PolicyRegistry& operator=(const PolicyRegistry&) = delete;

  // The registry that load() uses unless told otherwise: Ballast's own policies, and what the program adds.
  [[nodiscard]] static PolicyRegistry& global();

  // Throws Error(invalid_argument) where the name, a model type or an architecture is taken by another policy.
  void add(std::unique_ptr<const InferencePolicy> policy);
  template <class P>
  void add() {
    add(std::make_unique<const DeclaredPolicy<P>>());
  }

  // By name, model type or architecture; null where there is none.
  [[nodiscard]] const InferencePolicy* find(std::string_view text) const;
  [[nodiscard]] std::vector<const InferencePolicy*> all() const;

  // How well a checkpoint fits each policy, the best first. Looks at a few thousand names at most, some of each form
  // (names that differ in numbers only), and counts those as the others of their form.
  [[nodiscard]] std::vector<Resemblance> resemblances(const Catalog& catalog) const;

  // The policy of a checkpoint: by `model_type` when it is given, else by the config's model_type, else by its
  // architectures. Throws Error(config_missing | model_type_missing | unknown_architecture), each with a sentence that
  // says what to do; the last two say which policy the names look like, and the last lists what is known.
  [[nodiscard]] const InferencePolicy& choose(const Catalog& catalog, std::string_view model_type = {}) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ballast
