#include "options.hpp"

#include <fmt/format.h>

#include <charconv>

#include "ballast/policy.hpp"
#include "ballast/schema_file.hpp"
#include "program.hpp"
#include "words.hpp"

namespace ballast::cli {

namespace {

constexpr std::uint64_t kMostRanks = 65'536;

CLI::ValidationError wrong(const std::string& option, const std::string& text, const std::string& expected) {
  return CLI::ValidationError(option, fmt::format("'{}' is not {}", text, expected));
}

void add_dtype(CLI::App* app, LoadOptions& load) {
  app->add_option_function<std::string>(
         "--dtype",
         [&load](const std::string& text) {
           load.dtype = text == "auto" ? std::nullopt : dtype_from_text(text);
           if (text != "auto" && load.dtype != DType::F32 && load.dtype != DType::F16 && load.dtype != DType::BF16)
             throw wrong("--dtype", text, "one of auto, bf16, f16, f32");
         },
         "Of every floating weight: auto, bf16, f16 or f32. auto is what the config\n"
         "says, else as stored, and f16 for what is quantised (default: auto)")
      ->option_text("DTYPE");
}

void add_gated_layout(CLI::App* app, LoadOptions& load) {
  app->add_option_function<std::string>(
         "--gated-layout",
         [&load](const std::string& text) {
           if (text == "interleaved")
             load.gated_layout = GatedLayout::interleaved;
           else if (text == "concatenated")
             load.gated_layout = GatedLayout::concatenated;
           else
             throw wrong("--gated-layout", text, "one of interleaved, concatenated");
         },
         "Rows of a gated MLP's first matrix: interleaved (gate 0, up 0, ...)\n"
         "or concatenated (all gates, all ups) (default: interleaved)")
      ->option_text("LAYOUT");
}

void add_model_type(CLI::App* app, CommonOptions& options) {
  app->add_option("--model-type", options.load.model_type, "Instead of what the config says: see `ballast models`")
      ->option_text("TYPE");
  app->add_option("--schema", options.schema, "An architecture from this file, in place of those that are built in")
      ->option_text("FILE");
}

void check_model_type(const CommonOptions& options) {
  const std::string& text = options.load.model_type;
  // What a schema file answers to is known when it has been read.
  if (text.empty() || !options.schema.empty() || PolicyRegistry::global().find(text) != nullptr) return;
  throw CLI::ValidationError("--model-type",
                             fmt::format("no policy answers to '{}'; `ballast models` lists what does", text));
}

void check_rank(const LoadOptions& load) {
  if (load.tp_rank >= load.tp_size)
    throw CLI::ValidationError("--tp-rank", fmt::format("{} is not below --tp-size {}", load.tp_rank, load.tp_size));
}

bool read_number(const std::string& text, std::uint64_t& value, std::uint64_t least, std::uint64_t most) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc() && end == text.data() + text.size() && value >= least && value <= most;
}

void add_rank(CLI::App* app, CommonOptions& options, bool or_all) {
  LoadOptions& load = options.load;
  app->add_option_function<std::string>(
         "--tp-rank",
         [&options, &load, or_all](const std::string& text) {
           options.all_ranks = or_all && text == "all";
           if (!options.all_ranks && !read_number(text, load.tp_rank, 0, kMostRanks - 1))
             throw wrong("--tp-rank", text,
                         fmt::format("a whole number from 0 to {}{}", kMostRanks - 1, or_all ? ", or all" : ""));
         },
         or_all ? "Which of them, from 0, or all: every rank, in one pass (default: 0)"
                : "Which of them, from 0 (default: 0)")
      ->option_text(or_all ? "N|all" : "N");
}

}  // namespace

void add_path(Program& program, CLI::App* app, CommonOptions& options) {
  app->add_option("PATH", options.path, "A weight file, an index.json, or a folder that holds them")
      ->required()
      ->option_text(" ");
  app->add_option("--config", options.load.open.config_path,
                  "The config.json, or its folder, where it is not beside the weights")
      ->option_text("PATH");
  program.add_json(app, options.json);
}

CLI::Option* add_number(CLI::App* app, const std::string& name, std::uint64_t& value, std::uint64_t least,
                        std::uint64_t most, const std::string& description) {
  return app
      ->add_option_function<std::string>(
          name,
          [name, &value, least, most](const std::string& text) {
            if (!read_number(text, value, least, most))
              throw wrong(name, text, fmt::format("a whole number from {} to {}", least, most));
          },
          description)
      ->option_text("N");
}

void add_model_options(CLI::App* app, CommonOptions& options, RankChoice choice) {
  LoadOptions& load = options.load;
  add_model_type(app, options);
  add_number(app, "--tp-size", load.tp_size, 1, kMostRanks, "Ranks of tensor parallelism (default: 1)");
  if (choice != RankChoice::every) add_rank(app, options, choice == RankChoice::one_or_all);
  app->parse_complete_callback([&options, choice] {
    check_model_type(options);
    if (choice != RankChoice::every) check_rank(options.load);
  });
  add_dtype(app, load);
  add_gated_layout(app, load);
}

void use_schema(CommonOptions& options) {
  if (options.schema.empty()) return;
  auto policy = load_schema_file(options.schema);
  if (options.load.model_type.empty() && policy->model_types().empty() && policy->architectures().empty())
    options.load.model_type = policy->name();
  options.of_schema = std::make_unique<PolicyRegistry>();
  options.of_schema->add(std::move(policy));
  options.load.policies = options.of_schema.get();
}

std::string rank_text(const CommonOptions& options) {
  const LoadOptions& load = options.load;
  if (options.all_ranks) return load.tp_size == 1 ? "the only rank" : fmt::format("all {} ranks", load.tp_size);
  return fmt::format("rank {} of {}", load.tp_rank, load.tp_size);
}

}  // namespace ballast::cli
