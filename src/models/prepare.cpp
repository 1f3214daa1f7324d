// Everything before the first weight is read, for one rank or for all. What each call makes true is said where it
// returns.
#include <algorithm>
#include <optional>
#include <utility>

#include "ballast/error.hpp"
#include "ballast/load.hpp"
#include "models/rank_preparer.hpp"
#include "models/resemblance.hpp"
#include "models/stopwatch.hpp"

namespace ballast {

namespace {

// The dtypes that a config may ask all floating weights to be in; others (float8, say) are for a scheme to interpret.
std::optional<DType> plain_float(std::optional<DType> dtype) {
  if (dtype == DType::F64 || dtype == DType::F32 || dtype == DType::F16 || dtype == DType::BF16) return dtype;
  return std::nullopt;
}

ModelContext make_context(const InferencePolicy& policy, const ModelConfig& config, const LoadOptions& options) {
  ModelContext context = policy.context(config);
  context.dtype = options.dtype ? options.dtype : plain_float(config.dtype);
  context.tp_rank = options.tp_rank;
  context.tp_size = options.tp_size;
  context.gated_layout = options.gated_layout;
  return context;
}

bool lists_are_as_long(const ContainerSchema& schema, const ModelContext& a, const ModelContext& b) {
  try {
    return SlotLayout(schema, a) == SlotLayout(schema, b);
  } catch (const Error&) {
    return false;  // bind() says what is wrong
  }
}

// Whether all lists of a map's containers are as long for the one rank as for the other.
bool lists_are_as_long(const ContainerMap& map, const ModelContext& a, const ModelContext& b) {
  const ContainerSchema* checked = nullptr;  // most often all layers are of one schema
  for (const ContainerMap::Layers& layers : map.layer_groups())
    for (const ContainerSchema* schema : layers.schemas) {
      if (schema == checked) continue;
      if (!lists_are_as_long(*schema, a, b)) return false;
      checked = schema;
    }
  return map.rest() == nullptr || lists_are_as_long(*map.rest(), a, b);
}

// Names do not fit: one report of that and of all else that can be said without them. The weights of a quantised
// checkpoint are missing, of other shapes and of other dtypes for one reason, which is given by then.
Diagnostics all_faults(const PreparedLoad& prepared, const PolicyRegistry& policies, const Diagnostics& of_names) {
  const auto& kept = of_names.kept();
  Diagnostics all;
  if (std::none_of(kept.begin(), kept.end(), [](const auto& d) { return d.code == Errc::companion_unclaimed; })) {
    if (auto other = another_architecture(*prepared.catalog, *prepared.policy, policies)) all.add(std::move(*other));
    all.append(of_names);
    all.append(plan_faults(*prepared.catalog, prepared.binding, *prepared.context));
  } else {
    all.append(of_names);
  }
  return all;
}

}  // namespace

RankPreparer::RankPreparer(std::shared_ptr<const Catalog> catalog, const LoadOptions& options)
    : catalog_(std::move(catalog)),
      policies_(options.policies != nullptr ? *options.policies : PolicyRegistry::global()) {
  policy_ = &policies_.choose(*catalog_, options.model_type);
  // From here on it is known what model this is.
  context_ = make_context(*policy_, *catalog_->config, options);
}

PreparedLoad RankPreparer::prepare(std::uint64_t rank) {
  Stopwatch watch;
  PreparedLoad prepared;
  prepared.catalog = catalog_;
  prepared.policy = policy_;
  context_.tp_rank = rank;
  context_.check_ranks();
  prepared.context = std::make_shared<const ModelContext>(context_);
  prepared.map = policy_->container_map(context_);
  // From here on it is known where each of the names should go.
  bind_as(prepared);
  prepared.binding = last_.binding;
  if (!last_.faults.empty()) throw Error(all_faults(prepared, policies_, last_.faults));
  prepared.seconds.bind = watch.lap();
  // From here on every dependency has its tensors, and every tensor is used or skipped on purpose.
  prepared.plan = make_plan(*catalog_, prepared.binding, context_);
  prepared.seconds.plan = watch.lap();
  // From here on every byte has its place.
  return prepared;
}

void RankPreparer::bind_as(const PreparedLoad& prepared) {
  const bool as_before = last_.context != nullptr && last_.map == prepared.map &&
                         lists_are_as_long(prepared.map, *last_.context, *prepared.context);
  if (!as_before) {
    last_ = {prepared.context, prepared.map, {}, {}};
    try {
      last_.binding = bind(*catalog_, prepared.map, *prepared.context, last_.faults);
    } catch (const Error&) {
      last_ = {};
      throw;
    }
  }
}

PreparedLoad prepare(const std::string& path, const LoadOptions& options) {
  Stopwatch watch;
  auto catalog = std::make_shared<const Catalog>(open_checkpoint(path, options.open));
  // From here on all names, shapes and extents of all files are known and agree with the files' sizes.
  const double seconds = watch.lap();
  PreparedLoad prepared = prepare(std::move(catalog), options);
  prepared.seconds.open = seconds;
  return prepared;
}

PreparedLoad prepare(std::shared_ptr<const Catalog> catalog, const LoadOptions& options) {
  return RankPreparer(std::move(catalog), options).prepare(options.tp_rank);
}

PreparedLoad prepare(const Catalog& catalog, const LoadOptions& options) {
  return prepare(std::make_shared<const Catalog>(catalog), options);
}

void for_each_rank(std::shared_ptr<const Catalog> catalog, const LoadOptions& options,
                   const std::function<void(PreparedLoad)>& visit) {
  RankPreparer preparer(std::move(catalog), options);
  std::vector<Diagnostics> faults(std::max<std::uint64_t>(options.tp_size, 1));
  bool faultless = true;
  for (std::uint64_t rank = 0; rank < faults.size(); ++rank) {
    std::optional<PreparedLoad> prepared;
    try {
      prepared = preparer.prepare(rank);
    } catch (const Error& error) {
      faults[rank] = error.faults();
      faultless = false;
    }
    if (faultless) visit(std::move(*prepared));
  }
  fold_ranks(faults).throw_if_any();
}

PreparedRanks prepare_ranks(std::shared_ptr<const Catalog> catalog, const LoadOptions& options) {
  PreparedRanks prepared;
  for_each_rank(std::move(catalog), options, [&](PreparedLoad rank) { prepared.ranks.push_back(std::move(rank)); });
  // From here on every byte of every rank has its place.
  for (const PreparedLoad& rank : prepared.ranks) {
    prepared.seconds.bind += rank.seconds.bind;
    prepared.seconds.plan += rank.seconds.plan;
  }
  Stopwatch watch;
  std::vector<const Plan*> plans;
  for (const PreparedLoad& rank : prepared.ranks) plans.push_back(&rank.plan);
  prepared.reads = join_reads(plans);
  // From here on it is known which bytes of the files serve which ranks.
  prepared.seconds.plan += watch.lap();
  return prepared;
}

PreparedRanks prepare_ranks(const std::string& path, const LoadOptions& options) {
  Stopwatch watch;
  auto catalog = std::make_shared<const Catalog>(open_checkpoint(path, options.open));
  const double seconds = watch.lap();
  PreparedRanks prepared = prepare_ranks(std::move(catalog), options);
  prepared.seconds.open = seconds;
  return prepared;
}

Model make_model(const InferencePolicy& policy, const ModelConfig& config, const LoadOptions& options) {
  auto context = std::make_shared<const ModelContext>(make_context(policy, config, options));
  context->check_ranks();
  ContainerMap map = policy.container_map(*context);
  return {std::move(context), std::move(map)};
}

}  // namespace ballast
