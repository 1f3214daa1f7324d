// ballast check: would each rank load? Everything up to the plan, and no weights.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "ballast/error.hpp"
#include "ballast/load.hpp"
#include "commands.hpp"
#include "json.hpp"
#include "options.hpp"
#include "process.hpp"
#include "program.hpp"
#include "table.hpp"
#include "terminal.hpp"
#include "words.hpp"

namespace ballast::cli {

namespace {

// What is known of a rank that loads.
struct Rank {
  std::uint64_t tensors = 0, arena_bytes = 0, bytes_needed = 0, bytes_placed = 0;
};

// The faults of all ranks: identical ones once, with the ranks that have them.
class Faults {
 public:
  void add(std::uint64_t rank, const Error& error) {
    beyond_kept_ = std::max(beyond_kept_, error.total() - error.diagnostics().size());
    for (const Diagnostic& diagnostic : error.diagnostics()) {
      const auto [at, is_new] = known_.emplace(to_string(diagnostic), faults_.size());
      if (is_new) faults_.push_back({diagnostic, {}});
      faults_[at->second].ranks.push_back(rank);
    }
  }
  void throw_if_any(std::uint64_t tp_size) const {
    Diagnostics all;
    for (const Fault& fault : faults_) {
      Diagnostic diagnostic = fault.diagnostic;
      if (fault.ranks.size() != tp_size)
        diagnostic.what = fmt::format("for rank {} of {}: {}", fmt::join(fault.ranks, ", "), tp_size, diagnostic.what);
      all.add(std::move(diagnostic));
    }
    // Counted by the library and not kept.
    for (std::size_t i = 0; i < beyond_kept_; ++i) all.add({});
    all.throw_if_any();
  }

 private:
  struct Fault {
    Diagnostic diagnostic;
    std::vector<std::uint64_t> ranks;
  };
  std::vector<Fault> faults_;
  std::map<std::string, std::size_t> known_;
  std::size_t beyond_kept_ = 0;
};

struct Result {
  std::string path;
  std::string model_type;
  std::string policy;
  std::uint64_t n_sources = 0;
  std::vector<Rank> ranks;
  std::vector<std::string> skipped;
};

Result check(const CommonOptions& options) {
  LoadOptions load = options.load;
  const Catalog catalog = open_checkpoint(options.path, load.open);
  Result result;
  result.path = options.path;
  result.n_sources = catalog.tensors.size();
  Faults faults;
  for (load.tp_rank = 0; load.tp_rank < load.tp_size; ++load.tp_rank) {
    try {
      const PreparedLoad prepared = prepare(catalog, load);
      const Plan& plan = prepared.plan;
      result.ranks.push_back({plan.tensors.size(), plan.arena_bytes, plan.bytes_needed, plan.bytes_placed});
      if (!result.policy.empty()) continue;
      result.policy = prepared.policy->name();
      result.model_type = prepared.context->model_type;
      for (const SkippedTensor& skipped : prepared.binding.skipped)
        result.skipped.push_back(catalog.tensors[skipped.tensor].name);
    } catch (const Error& error) {
      faults.add(load.tp_rank, error);
    }
  }
  faults.throw_if_any(load.tp_size);
  // From here on every rank has a plan.
  return result;
}

std::string text(const Result& result) {
  std::string text = fmt::format("{}  {}, {}\n", paint(Stream::out, Colour::bold, title_of(result.path)), result.policy,
                                 counted(result.n_sources, "tensor"));
  Table table({Align::right, Align::left, Align::right, Align::right, Align::right});
  for (std::size_t i = 0; i < result.ranks.size(); ++i) {
    const Rank& rank = result.ranks[i];
    table.row({fmt::format("rank {}", i), paint(Stream::out, Colour::green, "ok"), counted(rank.tensors, "parameter"),
               bytes_text(rank.arena_bytes) + " of memory", bytes_text(rank.bytes_needed) + " to read"});
  }
  text += table.text();
  if (!result.skipped.empty())
    text += fmt::format("  {} skipped on purpose\n", counted(result.skipped.size(), "tensor"));
  return text;
}

Json json(const Result& result) {
  Json ranks = Json::array();
  for (std::size_t i = 0; i < result.ranks.size(); ++i) {
    const Rank& rank = result.ranks[i];
    ranks.push_back({{"tp_rank", i},
                     {"parameters", rank.tensors},
                     {"arena_bytes", rank.arena_bytes},
                     {"bytes_needed", rank.bytes_needed},
                     {"bytes_placed", rank.bytes_placed}});
  }
  return {{"path", result.path},         {"model_type", result.model_type},
          {"policy", result.policy},     {"tp_size", result.ranks.size()},
          {"tensors", result.n_sources}, {"ranks", std::move(ranks)},
          {"skipped", result.skipped}};
}

std::string run(const CommonOptions& options) {
  const Result result = check(options);
  return options.json ? document(json(result)) : text(result);
}

constexpr const char* kFooter =
    R"(Reads headers only. All faults of all ranks are reported together, on standard error, and the exit
status is 1.

Examples:
  ballast check path/to/folder
  ballast check model.gguf --tp-size 4 --dtype bf16
  ballast check unknown/folder --model-type llama
  ballast check path/to/folder --schema my_architecture.json)";

}  // namespace

void add_check(Program& program) {
  const auto options = std::make_shared<CommonOptions>();
  CLI::App* app =
      program.command("check", "Say whether a checkpoint loads, for every rank; reads no weights", kFooter, [options] {
        use_schema(*options);
        return run(*options);
      });
  add_path(program, app, *options);
  add_model_options(app, *options, /*rank=*/false);
}

}  // namespace ballast::cli
