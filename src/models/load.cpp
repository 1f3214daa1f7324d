// From a prepared load to models: the arenas are filled, and every parameter gets its view.
#include "ballast/load.hpp"

#include <fmt/format.h>

#include <cstring>

#include "ballast/error.hpp"
#include "models/stopwatch.hpp"

namespace ballast {

// Builds LoadedModels; a class only because their parts are private.
class Loader {
 public:
  // One rank where `joint` is null, else those whose reads it joins.
  static std::vector<LoadedModel> run(std::span<PreparedLoad> ranks, const JointReads* joint,
                                      const LoadReport::Seconds& seconds, const ExecuteOptions& options) {
    Stopwatch watch;
    std::vector<LoadedModel> all = make_empty(ranks);
    const ExecuteStats stats = fill(ranks, all, joint, options);
    // From here on every byte of every arena is final.
    for (std::size_t r = 0; r < all.size(); ++r) {
      take_over(ranks[r], all[r]);
      join_ties(all[r]);
      hand_out(all[r]);
    }
    // From here on every container is populated.
    LoadReport::Seconds s = seconds;
    s.execute = watch.lap();
    s.total = s.open + s.bind + s.plan + s.execute;
    for (LoadedModel& loaded : all) {
      loaded.report_.execute = stats;
      loaded.report_.bytes_needed = joint != nullptr ? joint->bytes_needed : loaded.plan_.bytes_needed;
      loaded.report_.seconds = s;
    }
    return all;
  }

 private:
  static std::vector<LoadedModel> make_empty(std::span<const PreparedLoad> ranks) {
    // Asked for as one block first: a system that refuses what is more than it has looks at one block at a time.
    std::uint64_t together = 0;
    for (const PreparedLoad& prepared : ranks) together += prepared.plan.arena_bytes;
    (void)Arena(together);
    std::vector<LoadedModel> all;
    for (const PreparedLoad& prepared : ranks) {
      LoadedModel& loaded = all.emplace_back();
      loaded.arena_ = std::make_shared<Arena>(prepared.plan.arena_bytes);
      loaded.model_ = std::make_unique<Model>(prepared.context, prepared.map);
    }
    return all;
  }

  static ExecuteStats fill(std::span<const PreparedLoad> ranks, const std::vector<LoadedModel>& all,
                           const JointReads* joint, const ExecuteOptions& options) {
    const Catalog& catalog = *ranks.front().catalog;
    if (joint == nullptr) return execute(catalog, ranks.front().plan, all.front().arena_->data(), options);
    std::vector<ExecuteTarget> targets;
    for (std::size_t r = 0; r < ranks.size(); ++r) targets.push_back({&ranks[r].plan, all[r].arena_->data()});
    return execute(catalog, *joint, targets, options);
  }

  static void take_over(PreparedLoad& prepared, LoadedModel& loaded) {
    loaded.report_.policy = prepared.policy->name();
    loaded.report_.skipped = prepared.binding.skipped;
    loaded.report_.bytes_loaded = prepared.plan.bytes_placed;
    loaded.catalog_ = std::move(prepared.catalog);
    loaded.binding_ = std::move(prepared.binding);
    loaded.plan_ = std::move(prepared.plan);
  }

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
      d.file = loaded.catalog_->path;
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

LoadedModel load(PreparedLoad prepared, const ExecuteOptions& options) {
  const LoadReport::Seconds seconds = prepared.seconds;
  return std::move(Loader::run({&prepared, 1}, nullptr, seconds, options).front());
}

LoadedModel load(const std::string& path, const LoadOptions& options) {
  return load(prepare(path, options), options.execute);
}

std::vector<LoadedModel> load_ranks(PreparedRanks prepared, const ExecuteOptions& options) {
  if (prepared.ranks.empty()) return {};
  return Loader::run(prepared.ranks, &prepared.reads, prepared.seconds, options);
}

std::vector<LoadedModel> load_ranks(const std::string& path, const LoadOptions& options) {
  return load_ranks(prepare_ranks(path, options), options.execute);
}

}  // namespace ballast
