// The command-line tool: its table of contents.
//
// Each command is a file: <command>.cpp declares the options and does the work, <command>_text.cpp and
// <command>_json.cpp say what came of it, to a person and to a program (the keys are in docs/cli.md).
#include "commands.hpp"
#include "process.hpp"
#include "program.hpp"

int main(int argc, char** argv) {
  using namespace ballast::cli;
  prepare_process();
  // From here on the standard streams are open, and a reader that goes away is an error and not a signal.
  Program program;
  add_inspect(program);
  add_check(program);
  add_plan(program);
  add_load(program);
  add_models(program);
  if (const std::optional<int> status = program.parse(argc, argv)) return *status;
  // From here on one command is chosen, and its options are sound.
  return program.run();
}
