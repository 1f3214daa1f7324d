// ballast load: the whole way, from files to finished tensors in memory.
#include "load.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "failure.hpp"
#include "peak_memory.hpp"
#include "program.hpp"
#include "progress_bar.hpp"
#include "stop_on_signal.hpp"

namespace ballast::cli {

namespace {

// One rank or all of them, ready to be read.
struct Prepared {
  std::optional<PreparedLoad> one;
  std::optional<PreparedRanks> all;
};

Prepared prepare_as(const LoadCommandOptions& options) {
  Prepared prepared;
  if (options.all_ranks)
    prepared.all = prepare_ranks(options.path, options.load);
  else
    prepared.one = prepare(options.path, options.load);
  return prepared;
}

std::vector<LoadedModel> load_with_progress(Prepared prepared, const LoadCommandOptions& options,
                                            const std::stop_token& cancel) {
  ProgressBar bar("load");
  ExecuteOptions execute;
  execute.threads = static_cast<unsigned>(options.threads);
  execute.progress = [&bar](const Progress& progress) { bar.update(progress.bytes_done, progress.bytes_total); };
  execute.cancel = cancel;
  if (prepared.all) return load_ranks(std::move(*prepared.all), execute);
  std::vector<LoadedModel> one;
  one.push_back(ballast::load(std::move(*prepared.one), execute));
  return one;
}

// What several ranks doubt alike is said once.
void report_warnings_of(const std::vector<LoadedModel>& ranks) {
  std::vector<Diagnostics> warnings(ranks.size());
  for (std::size_t r = 0; r < ranks.size(); ++r)
    for (const Diagnostic& warning : ranks[r].report().warnings) warnings[r].add(warning);
  report_warnings(fold_ranks(warnings).kept());
}

std::string run(const LoadCommandOptions& options) {
  Prepared prepared = prepare_as(options);
  // From here on nothing is wrong with the checkpoint but what reading it may show.
  const StopOnSignal stop;
  Loaded loaded;
  loaded.ranks = load_with_progress(std::move(prepared), options, stop.token());
  loaded.peak_bytes = peak_memory();
  if (options.digest) loaded.digests = digest_all(loaded.ranks, static_cast<unsigned>(options.threads), stop.token());
  report_warnings_of(loaded.ranks);
  return options.json ? document(load_json(loaded, options.all_ranks)) : load_text(loaded, options);
}

constexpr const char* kFooter =
    R"(Reads each byte that is needed once, into its final place, and says what was read, how long each
stage took and how much memory it took at most. What was loaded is gone when the command ends.
--tp-rank all fills every rank's memory in one pass: what several ranks need is read once.
Ctrl-C stops it.

Examples:
  ballast load path/to/folder
  ballast load model.gguf --tp-size 4 --tp-rank 1 --dtype bf16
  ballast load path/to/folder --tp-size 4 --tp-rank all
  ballast load path/to/folder --json --digest | jq '.containers[0].parameters[] | {name, digest}')";

}  // namespace

void add_load(Program& program) {
  const auto options = std::make_shared<LoadCommandOptions>();
  CLI::App* app =
      program.command("load", "Load a checkpoint, and say what came of it and how fast", kFooter, [options] {
        use_schema(*options);
        return run(*options);
      });
  add_path(program, app, *options);
  add_model_options(app, *options, RankChoice::one_or_all);
  add_number(app, "--threads", options->threads, 0, 1024, "Threads that read (default: one a core, at most 16)");
  app->add_flag("--digest", options->digest, "The SHA-256 of each parameter, of its row-major bytes");
  app->add_flag("--verbose", options->verbose, "Also the names that are skipped, and details of reading");
}

}  // namespace ballast::cli
