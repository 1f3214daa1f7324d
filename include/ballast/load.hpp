// Loading, whole and in steps.
//
//   auto model = ballast::load<ballast::models::LlamaPolicy>("path/to/checkpoint");
//   const Tensor& qkv = model.layer(0).qkv_w;
//
// Everything that can be wrong with a checkpoint is wrong before a byte of weights is read: load() throws Error with
// all faults, and what it began is undone. What is wrong with names does not hide what is wrong with the shapes and
// dtypes of the tensors that are there; of a config without usable numbers nothing else can be said.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

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
  std::shared_ptr<const Catalog> catalog;
  const InferencePolicy* policy = nullptr;
  std::shared_ptr<const ModelContext> context;
  ContainerMap map;
  Binding binding;
  Plan plan;
  LoadReport::Seconds seconds;
};
[[nodiscard]] PreparedLoad prepare(const std::string& path, const LoadOptions& options = {});
// The same for a catalog that is open already. The second form copies it.
[[nodiscard]] PreparedLoad prepare(std::shared_ptr<const Catalog> catalog, const LoadOptions& options);
[[nodiscard]] PreparedLoad prepare(const Catalog& catalog, const LoadOptions& options);

// Runs a prepared load.
[[nodiscard]] LoadedModel load(PreparedLoad prepared, const ExecuteOptions& options = {});
[[nodiscard]] LoadedModel load(const std::string& path, const LoadOptions& options = {});

// All ranks of a checkpoint for one process, planned together and loaded in one pass over the files: a byte that
// several ranks need is read once. LoadOptions::tp_rank does not apply.
struct PreparedRanks {
  std::vector<PreparedLoad> ranks;  // ranks[r] is rank r; all share the catalog
  JointReads reads;
  LoadReport::Seconds seconds;  // of all ranks together
};
// Throws Error with the faults of all ranks: one that several have alike is one diagnostic, which names the ranks.
[[nodiscard]] PreparedRanks prepare_ranks(const std::string& path, const LoadOptions& options = {});
[[nodiscard]] PreparedRanks prepare_ranks(std::shared_ptr<const Catalog> catalog, const LoadOptions& options);
// The same, one rank after the other, for what need not hold all plans at once: `visit` is called with each rank until
// one has a fault. All faults of all ranks are thrown at the end.
void for_each_rank(std::shared_ptr<const Catalog> catalog, const LoadOptions& options,
                   const std::function<void(PreparedLoad)>& visit);
// The diagnostics of all ranks ([r] is rank r): alike ones are one, whose sentence begins with the ranks that have it.
[[nodiscard]] Diagnostics fold_ranks(std::span<const Diagnostics> of_ranks);

// By rank; each has an arena of its own. A failure leaves nothing of any rank behind.
[[nodiscard]] std::vector<LoadedModel> load_ranks(PreparedRanks prepared, const ExecuteOptions& options = {});
[[nodiscard]] std::vector<LoadedModel> load_ranks(const std::string& path, const LoadOptions& options = {});

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
template <class Policy>
[[nodiscard]] std::vector<TypedModel<Policy>> load_ranks(const std::string& path, LoadOptions options = {}) {
  PolicyRegistry own;
  own.add<Policy>();
  options.policies = &own;
  std::vector<TypedModel<Policy>> typed;
  for (LoadedModel& rank : load_ranks(path, options)) typed.emplace_back(std::move(rank));
  return typed;
}

}  // namespace ballast
