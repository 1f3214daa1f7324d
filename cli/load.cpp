// ballast load: the whole way, from files to finished tensors in memory.
#include "load.hpp"

#include <memory>

#include "commands.hpp"
#include "failure.hpp"
#include "peak_memory.hpp"
#include "program.hpp"
#include "progress_bar.hpp"
#include "stop_on_signal.hpp"

namespace ballast::cli {

namespace {

LoadedModel load_with_progress(PreparedLoad prepared, const LoadCommandOptions& options,
                               const std::stop_token& cancel) {
  ProgressBar bar("load");
  ExecuteOptions execute;
  execute.threads = static_cast<unsigned>(options.threads);
  execute.progress = [&bar](const Progress& progress) { bar.update(progress.bytes_done, progress.bytes_total); };
  execute.cancel = cancel;
  return ballast::load(std::move(prepared), execute);
}

std::string run(const LoadCommandOptions& options) {
  PreparedLoad prepared = prepare(options.path, options.load);
  // From here on nothing is wrong with the checkpoint but what reading it may show.
  const StopOnSignal stop;
  Loaded loaded{load_with_progress(std::move(prepared), options, stop.token()), {}, 0};
  loaded.peak_bytes = peak_memory();
  if (options.digest)
    loaded.digests = digest_all(loaded.model.model(), static_cast<unsigned>(options.threads), stop.token());
  report_warnings(loaded.model.report().warnings);
  return options.json ? document(load_json(loaded)) : load_text(loaded, options);
}

constexpr const char* kFooter =
    R"(Reads each byte that is needed once, into its final place, and says what was read, how long each
stage took and how much memory it took at most. What was loaded is gone when the command ends.
Ctrl-C stops it.

Examples:
  ballast load path/to/folder
  ballast load model.gguf --tp-size 4 --tp-rank 1 --dtype bf16
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
  add_model_options(app, *options, /*rank=*/true);
  add_number(app, "--threads", options->threads, 0, 1024, "Threads that read (default: one a core, at most 16)");
  app->add_flag("--digest", options->digest, "The SHA-256 of each parameter, of its row-major bytes");
  app->add_flag("--verbose", options->verbose, "Also the names that are skipped, and details of reading");
}

}  // namespace ballast::cli
