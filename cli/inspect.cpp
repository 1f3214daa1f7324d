// ballast inspect: what is in a checkpoint.
#include "inspect.hpp"

#include <memory>

#include "ballast/catalog.hpp"
#include "commands.hpp"
#include "options.hpp"
#include "program.hpp"

namespace ballast::cli {

namespace {

struct Options : CommonOptions {
  bool all = false;
};

std::string run(const Options& options) {
  const Catalog catalog = open_checkpoint(options.path, options.load.open);
  return options.json ? document(inspect_json(catalog, options.all)) : inspect_text(catalog, options.all);
}

constexpr const char* kFooter =
    R"(Reads headers only. Tensors that differ in numbers alone are one line, with how many they are.

Examples:
  ballast inspect model.gguf
  ballast inspect path/to/folder --all
  ballast inspect path/to/folder --json | jq '.totals')";

}  // namespace

void add_inspect(Program& program) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = program.command("inspect", "List files, metadata and tensors: names, dtypes, shapes, sizes", kFooter,
                                  [options] { return run(*options); });
  add_path(program, app, *options);
  app->add_flag("--all", options->all, "Every tensor on a line of its own, and all metadata in full");
}

}  // namespace ballast::cli
