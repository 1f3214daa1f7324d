// The whole load, as one function of named calls. What each call makes true is said where it returns.
#include "ballast/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "ballast/error.hpp"
#include "models/resemblance.hpp"

namespace ballast {

namespace {

class Stopwatch {
 public:
  // Seconds since it was made or last asked.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

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
  context.check_ranks();
  return context;
}

// Names do not fit: one report of that and of all else that can be said without them. The weights of a quantised
// checkpoint are missing, of other shapes and of other dtypes for one reason, which is given by then.
[[noreturn]] void refuse(const PreparedLoad& prepared, const PolicyRegistry& policies, const Diagnostics& of_names) {
  const auto& kept = of_names.kept();
  Diagnostics all;
  if (std::none_of(kept.begin(), kept.end(), [](const auto& d) { return d.code == Errc::companion_unclaimed; })) {
    if (auto other = another_architecture(prepared.catalog, *prepared.policy, policies)) all.add(std::move(*other));
    all.append(of_names);
    all.append(plan_faults(prepared.catalog, prepared.binding, *prepared.context));
  } else {
    all.append(of_names);
  }
  throw Error(std::move(all));
}

PreparedLoad prepare(Catalog catalog, const LoadOptions& options, double seconds_open) {
  const PolicyRegistry& policies = options.policies != nullptr ? *options.policies : PolicyRegistry::global();
  Stopwatch watch;
  PreparedLoad prepared;
  prepared.catalog = std::move(catalog);
  prepared.policy = &policies.choose(prepared.catalog, options.model_type);
  prepared.context =
      std::make_shared<const ModelContext>(make_context(*prepared.policy, *prepared.catalog.config, options));
  prepared.map = prepared.policy->container_map(*prepared.context);
  // From here on it is known what model this is, and where each of its names should go.
  Diagnostics faults;
  prepared.binding = bind(prepared.catalog, prepared.map, *prepared.context, faults);
  if (!faults.empty()) refuse(prepared, policies, faults);
  prepared.seconds.bind = watch.lap();
  // From here on every dependency has its tensors, and every tensor is used or skipped on purpose.
  prepared.plan = make_plan(prepared.catalog, prepared.binding, *prepared.context);
  prepared.seconds.plan = watch.lap();
  // From here on every byte has its place.
  prepared.seconds.open = seconds_open;
  return prepared;
}

}  // namespace

// Builds the LoadedModel; a class only because LoadedModel's parts are private.
class Loader {
 public:
  static LoadedModel run(PreparedLoad prepared, const ExecuteOptions& options) {
    Stopwatch watch;
    LoadedModel loaded;
    loaded.arena_ = std::make_shared<Arena>(prepared.plan.arena_bytes);
    loaded.model_ = std::make_unique<Model>(prepared.context, prepared.map);
    loaded.report_.execute = execute(prepared.catalog, prepared.plan, loaded.arena_->data(), options);
    // From here on every byte of the arena is final.
    loaded.report_.policy = prepared.policy->name();
    loaded.report_.skipped = prepared.binding.skipped;
    loaded.report_.bytes_loaded = prepared.plan.bytes_placed;
    loaded.catalog_ = std::move(prepared.catalog);
    loaded.binding_ = std::move(prepared.binding);
    loaded.plan_ = std::move(prepared.plan);
    join_ties(loaded);
    hand_out(loaded);
    // From here on every container is populated.
    loaded.report_.seconds = prepared.seconds;
    loaded.report_.seconds.execute = watch.lap();
    LoadReport::Seconds& s = loaded.report_.seconds;
    s.total = s.open + s.bind + s.plan + s.execute;
    return loaded;
  }

 private:
  static std::byte* data(const LoadedModel& loaded, const PlannedTensor& tensor) {
    return loaded.arena_->data() + tensor.arena_offset;
  }

  // B8: weights that the config ties and that the file holds twice. Identical bytes become one tensor; different ones
  // are kept as stored and reported, since both readings of such a checkpoint occur.
  static void join_ties(LoadedModel& loaded) {
    for (const TiedPair& pair : loaded.plan_.tied_pairs) {
      PlannedTensor& head = loaded.plan_.tensors[pair.head];
      const PlannedTensor& embedding = loaded.plan_.tensors[pair.embedding];
      const std::byte* twin = data(loaded, embedding) + pair.embedding_offset;
      if (std::memcmp(data(loaded, head), twin, head.nbytes) == 0) {
        share(loaded, pair);
        continue;
      }
      const auto place = [&](const PlannedTensor& tensor) {
        const BoundContainer& bound = loaded.binding_.containers[tensor.container];
        return bound.name + "." + bound.schema->parameters()[tensor.parameter].name;
      };
      Diagnostic d;
      d.code = Errc::tied_weights_differ;
      d.operation = "load";
      d.container = loaded.binding_.containers[head.container].name;
      d.parameter = loaded.binding_.containers[head.container].schema->parameters()[head.parameter].name;
      d.file = loaded.catalog_.path;
      d.what = fmt::format("the config ties {} to {}, but the file holds different values for the two", place(head),
                           place(embedding));
      d.expected = "identical bytes, or \"tie_word_embeddings\": false";
      d.got = "both as stored";
      d.cause = "a model whose head was trained on its own while the config was left as it was";
      loaded.report_.warnings.push_back(std::move(d));
    }
  }

  // The head's own place, at the end of the arena, is given back. A part of an embedding whose address would not be
  // aligned as every parameter's is stays where it is.
  static void share(LoadedModel& loaded, const TiedPair& pair) {
    if (pair.embedding_offset % kArenaAlignment != 0) return;
    PlannedTensor& head = loaded.plan_.tensors[pair.head];
    loaded.arena_->discard(head.arena_offset, head.nbytes);
    head.alias_of = pair.embedding;
    head.arena_offset = loaded.plan_.tensors[pair.embedding].arena_offset + pair.embedding_offset;
    loaded.report_.bytes_loaded -= head.nbytes;
  }

  // Gives every parameter its view of the arena; those without a planned tensor hold nothing.
  static void hand_out(LoadedModel& loaded) {
    std::size_t next = 0;
    std::vector<LayerContainer>& containers = loaded.model_->containers();
    for (std::uint32_t c = 0; c < containers.size(); ++c) {
      if (!containers[c].schema().has_mapping()) continue;  // filled by hand
      for (std::uint32_t p = 0; p < containers[c].n_params(); ++p) {
        InferenceParameter value;
        for (; next < loaded.plan_.tensors.size(); ++next) {
          const PlannedTensor& tensor = loaded.plan_.tensors[next];
          if (tensor.container != c || tensor.parameter != p) break;
          const Tensor view = contiguous_tensor(data(loaded, tensor), tensor.spec.dtype, tensor.spec.shape);
          if (tensor.aux.empty())
            value = InferenceParameter(view, loaded.arena_);
          else
            value.add_aux(tensor.aux, view);
        }
        // Lists of length zero finalised when the container was made.
        if (!containers[c].parameters()[p].is_finalised())
          containers[c].direct_injection(containers[c].parameters()[p].name(), std::move(value));
      }
    }
  }
};

PreparedLoad prepare(const std::string& path, const LoadOptions& options) {
  Stopwatch watch;
  Catalog catalog = open_checkpoint(path, options.open);
  // From here on all names, shapes and extents of all files are known and agree with the files' sizes.
  const double seconds = watch.lap();
  return prepare(std::move(catalog), options, seconds);
}

PreparedLoad prepare(const Catalog& catalog, const LoadOptions& options) {
  return prepare(Catalog(catalog), options, 0);
}

LoadedModel load(PreparedLoad prepared, const ExecuteOptions& options) {
  return Loader::run(std::move(prepared), options);
}

LoadedModel load(const std::string& path, const LoadOptions& options) {
  return load(prepare(path, options), options.execute);
}

Model make_model(const InferencePolicy& policy, const ModelConfig& config, const LoadOptions& options) {
  auto context = std::make_shared<const ModelContext>(make_context(policy, config, options));
  ContainerMap map = policy.container_map(*context);
  return {std::move(context), std::move(map)};
}

}  // namespace ballast
