// ballast check: would each rank load? Everything up to the plan, and no weights.
#include <fmt/format.h>

#include <memory>

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

struct Result {
  std::string path;
  std::string model_type;
  std::string policy;
  std::uint64_t n_sources = 0;
  std::vector<Rank> ranks;
  std::vector<std::string> skipped;
};

Result check(const CommonOptions& options) {
  const auto catalog = std::make_shared<const Catalog>(open_checkpoint(options.path, options.load.open));
  Result result;
  result.path = options.path;
  result.n_sources = catalog->tensors.size();
  for_each_rank(catalog, options.load, [&](const PreparedLoad& prepared) {
    const Plan& plan = prepared.plan;
    result.ranks.push_back({plan.tensors.size(), plan.arena_bytes, plan.bytes_needed, plan.bytes_placed});
    if (!result.policy.empty()) return;
    result.policy = prepared.policy->name();
    result.model_type = prepared.context->model_type;
    for (const SkippedTensor& skipped : prepared.binding.skipped)
      result.skipped.push_back(catalog->tensors[skipped.tensor].name);
  });
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
  add_model_options(app, *options, RankChoice::every);
}

}  // namespace ballast::cli
