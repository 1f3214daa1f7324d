// The program as a whole: what CLI11 needs to know, which command was chosen, and how it ends.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>

#include "ballast/load.hpp"

namespace ballast::cli {

enum ExitStatus : int { kRight = 0, kWrongData = 1, kWrongUsage = 2, kCancelled = 130 };

class Program {
 public:
  Program();

  // What a command is made of. `run` gives what goes to standard output, all at once when all of it is known: an error
  // in the middle leaves nothing there that looks like an answer.
  CLI::App* command(const std::string& name, const std::string& description, const std::string& footer,
                    std::function<std::string()> run);
  // For every command: a JSON document instead of a text.
  void add_json(CLI::App* app, bool& json);

  // The exit status where there is nothing to run: help, version, wrong usage.
  [[nodiscard]] std::optional<int> parse(int argc, char** argv);
  // Runs the chosen command. The one place that catches the library's errors.
  [[nodiscard]] int run() noexcept;

 private:
  [[nodiscard]] int refuse(const CLI::ParseError& error, int argc, char** argv) const;

  CLI::App app_;
  std::function<std::string()> chosen_;
  const bool* json_ = nullptr;  // of the chosen command
};

}  // namespace ballast::cli
