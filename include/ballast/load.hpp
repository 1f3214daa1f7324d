// Loading, whole and in steps.
//
//   auto model = ballast::load<ballast::models::LlamaPolicy>("path/to/checkpoint");
//   const Tensor& qkv = model.layer(0).qkv_w;
//
// Everything that can be wrong with a checkpoint is wrong before a byte of weights is read: load() throws Error with
// all faults, and what it began is undone. What is wrong with names does not hide what is wrong with the shapes and
// dtypes of the tensors that are there; of a config without usable numbers nothing else can be said.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "ballast/catalog.hpp"
#include "ballast/execute.hpp"
#include "ballast/model.hpp"
#include "ballast/plan.hpp"
#include "ballast/policy.hpp"

namespace ballast {

struct LoadOptions {
  OpenOptions open;
  std::string model_type;      // instead of the config's: a policy's name, a model type or an architecture
  std::optional<DType> dtype;  // of every floating weight; nothing: the config's dtype where it states one of F64, F32,
                               // F16 and BF16, else as stored (block-quantised weights become F16)
  std::uint64_t tp_rank = 0;
  std::uint64_t tp_size = 1;
  GatedLayout gated_layout = GatedLayout::interleaved;
  ExecuteOptions execute;
  const PolicyRegistry* policies = nullptr;  // null: PolicyRegistry::global()
};

// Everything up to the plan: no weights are read.
struct PreparedLoad {
  Catalog catalog;
  const InferencePolicy* policy = nullptr;
  std::shared_ptr<const ModelContext> context;
  ContainerMap map;
  Binding binding;
  Plan plan;
  LoadReport::Seconds seconds;
};
[[nodiscard]] PreparedLoad prepare(const std::string& path, const LoadOptions& options = {});
// The same for a catalog that is open already (to plan several ranks of one checkpoint).
[[nodiscard]] PreparedLoad prepare(const Catalog& catalog, const LoadOptions& options);

// Runs a prepared load.
[[nodiscard]] LoadedModel load(PreparedLoad prepared, const ExecuteOptions& options = {});
[[nodiscard]] LoadedModel load(const std::string& path, const LoadOptions& options = {});

// The streaming door: an empty model of a policy.
[[nodiscard]] Model make_model(const InferencePolicy& policy, const ModelConfig& config,
                               const LoadOptions& options = {});

// With the policy known while compiling; the checkpoint must be of its kind, unless options.model_type says otherwise.
template <class Policy>
[[nodiscard]] TypedModel<Policy> load(const std::string& path, LoadOptions options = {}) {
  PolicyRegistry own;
  own.add<Policy>();
  options.policies = &own;
  return TypedModel<Policy>(load(path, options));
}

}  // namespace ballast
