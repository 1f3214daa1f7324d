// Options that several commands have.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "ballast/load.hpp"

namespace ballast::cli {

struct CommonOptions {
  std::string path;
  bool json = false;
  LoadOptions load;
};

class Program;

// PATH, --config and --json.
void add_path(Program& program, CLI::App* app, CommonOptions& options);
// --model-type, --tp-size, --dtype, --gated-layout; with `rank` also --tp-rank.
void add_model_options(CLI::App* app, CommonOptions& options, bool rank);
// A decimal number in a range.
CLI::Option* add_number(CLI::App* app, const std::string& name, std::uint64_t& value, std::uint64_t least,
                        std::uint64_t most, const std::string& description);

// "rank 1 of 3"
[[nodiscard]] std::string rank_text(const LoadOptions& options);

}  // namespace ballast::cli
