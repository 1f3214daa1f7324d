// Options that several commands have.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "ballast/load.hpp"

namespace ballast::cli {

struct CommonOptions {
  std::string path;
  bool json = false;
  bool all_ranks = false;  // --tp-rank all
  std::string schema;      // the path of a schema file
  LoadOptions load;
  std::unique_ptr<PolicyRegistry> of_schema;  // set by use_schema; `load` points to it
};

class Program;

// PATH, --config and --json.
void add_path(Program& program, CLI::App* app, CommonOptions& options);
// Which ranks a command is about: every one, one of --tp-rank, or also `--tp-rank all`.
enum class RankChoice : std::uint8_t { every, one, one_or_all };
// --model-type, --schema, --tp-size, --dtype, --gated-layout, and --tp-rank where there is a choice.
void add_model_options(CLI::App* app, CommonOptions& options, RankChoice choice);
// With --schema, the architecture in that file is the only one that is known from here on. One without model types and
// architectures takes every checkpoint.
void use_schema(CommonOptions& options);
// A decimal number in a range.
CLI::Option* add_number(CLI::App* app, const std::string& name, std::uint64_t& value, std::uint64_t least,
                        std::uint64_t most, const std::string& description);

// "rank 1 of 3", "all 3 ranks"
[[nodiscard]] std::string rank_text(const CommonOptions& options);

}  // namespace ballast::cli
