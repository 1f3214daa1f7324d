#include "program.hpp"

#include <fmt/format.h>

#include <utility>

#include "ballast/error.hpp"
#include "ballast/version.hpp"
#include "failure.hpp"
#include "process.hpp"

namespace ballast::cli {

namespace {

constexpr std::string_view kDescription =
    R"(Loads model weights: reads a checkpoint as people publish it (safetensors, GGUF) straight into
fused, sharded and converted tensors, and says before it reads any weights whether all of it fits.)";

constexpr std::string_view kFooter = R"(Examples:
  ballast inspect model.gguf                    what is in it
  ballast check path/to/folder --tp-size 4      does it load, as each of 4 ranks?
  ballast plan path/to/folder                   where each byte goes
  ballast load path/to/folder --dtype bf16      load it, and say how that went
  ballast load model.gguf --json --digest       for a program, with a SHA-256 of each parameter

PATH is a weight file, an index.json, or a folder that holds them.
1 kB is 1000 bytes, 1 MB is 1000 kB.
Exit status: 0 right; 1 the data is wrong (standard error says how); 2 wrong usage; 130 stopped by
Ctrl-C.)";

constexpr std::size_t kOptionWidth = 26;

std::string joined_names(const CLI::App& app) {
  std::string names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names += (names.empty() ? "" : ", ") + command->get_name();
  return names;
}

}  // namespace

Program::Program() : app_(std::string(kDescription), "ballast") {
  app_.footer(std::string(kFooter));
  app_.set_version_flag("--version", fmt::format("ballast {}", kVersion), "Print the version and exit");
  app_.set_help_flag("-h,--help", "Print this and exit");
  app_.require_subcommand(1);
  app_.get_formatter()->column_width(kOptionWidth);
  app_.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app_.get_formatter()->label("Positionals", "Arguments");
}

CLI::App* Program::command(const std::string& name, const std::string& description, const std::string& footer,
                           std::function<std::string()> run) {
  CLI::App* app = app_.add_subcommand(name, description);
  app->group("Commands");
  app->footer(footer);
  app->callback([this, run = std::move(run)] { chosen_ = run; });
  return app;
}

void Program::add_json(CLI::App* app, bool& json) {
  app->add_flag("--json", json, "Print one JSON document, also when something is wrong");
  app->preparse_callback([this, &json](std::size_t) { json_ = &json; });
}

std::optional<int> Program::parse(int argc, char** argv) {
  try {
    app_.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app_.get_subcommands();
    return print(chosen.empty() ? app_.help() : chosen.front()->help(app_.get_name()));
  } catch (const CLI::CallForVersion& version) {
    return print(std::string(version.what()) + "\n");
  } catch (const CLI::ParseError& error) {
    return refuse(error, argc, argv);
  }
}

int Program::refuse(const CLI::ParseError& error, int argc, char** argv) const {
  const auto chosen = app_.get_subcommands();
  const std::string name = chosen.empty() ? "ballast" : "ballast " + chosen.front()->get_name();
  std::string problem = error.what();
  // CLI11 takes an unknown word for a missing command, and says so.
  if (chosen.empty() && argc > 1 && argv[1][0] != '-')
    problem = fmt::format("there is no command '{}'; there are: {}", printable(argv[1]), joined_names(app_));
  else if (chosen.empty() && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
    problem = "a command is missing; there are: " + joined_names(app_);
  else
    problem = printable(problem, 1000);
  if (argc == 1) {
    print_error(app_.help());
    return kWrongUsage;
  }
  print_error(fmt::format("{}: {}\nTry: {} --help\n", name, problem, name));
  return kWrongUsage;
}

int Program::run() noexcept {
  const bool json = json_ != nullptr && *json_;
  try {
    return print(chosen_());
  } catch (...) {
    return report_failure(json);
  }
}

}  // namespace ballast::cli
