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
  std::string schema;  // the path of a schema file
  LoadOptions load;
  std::unique_ptr<PolicyRegistry> of_schema;  // set by use_schema; `load` points to it
};

class Program;

// PATH, --config and --json.
void add_path(Program& program, CLI::App* app, CommonOptions& options);
// --model-type, --schema, --tp-size, --dtype, --gated-layout; with `rank` also --tp-rank.
void add_model_options(CLI::App* app, CommonOptions& options, bool rank);
// With --schema, the architecture in that file is the only one that is known from here on. One without model types and
// architectures takes every checkpoint.
void use_schema(CommonOptions& options);
// A decimal number in a range.
CLI::Option* add_number(CLI::App* app, const std::string& name, std::uint64_t& value, std::uint64_t least,
                        std::uint64_t most, const std::string& description);

// "rank 1 of 3"
[[nodiscard]] std::string rank_text(const LoadOptions& options);

}  // namespace ballast::cli
