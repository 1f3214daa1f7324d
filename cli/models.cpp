// ballast models: the architectures that Ballast knows.
#include "models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "ballast/schema_file.hpp"
#include "commands.hpp"
#include "options.hpp"
#include "program.hpp"
#include "table.hpp"

namespace ballast::cli {

std::vector<const ContainerSchema*> containers_of(const InferencePolicy& policy) {
  std::vector<const ContainerSchema*> all;
  const ContainerMapRules* map = policy.container_map_rules();
  if (map == nullptr) return all;
  const auto add = [&all](const std::vector<ContainerMapRules::Choice>& choices) {
    for (const ContainerMapRules::Choice& choice : choices)
      if (std::find(all.begin(), all.end(), choice.schema) == all.end()) all.push_back(choice.schema);
  };
  for (const ContainerMapRules::Layers& group : map->layer_groups()) add(group.choices);
  add(map->rest());
  return all;
}

std::string models_text(const Policies& policies) {
  Table table({Align::left, Align::left, Align::left});
  table.row({"Policy", "Model types", "Architectures"});
  for (const InferencePolicy* policy : policies)
    table.row({std::string(policy->name()), fmt::format("{}", fmt::join(policy->model_types(), ", ")),
               fmt::format("{}", fmt::join(policy->architectures(), ", "))});
  return table.text();
}

namespace {

struct Options : CommonOptions {
  std::string export_name;
  bool markdown = false;
};

std::string run(const Options& options) {
  const PolicyRegistry& registry = options.of_schema ? *options.of_schema : PolicyRegistry::global();
  if (!options.export_name.empty()) {
    const InferencePolicy* policy = registry.find(options.export_name);
    if (policy == nullptr)
      throw Error(Diagnostic{.code = Errc::invalid_argument,
                             .what = fmt::format("the schema file does not answer to '{}'", options.export_name),
                             .operation = "export schema"});
    return export_schema(*policy);
  }
  const Policies policies = registry.all();
  if (options.markdown) return models_markdown(policies);
  return options.json ? document(models_json(policies)) : models_text(policies);
}

constexpr const char* kFooter =
    R"(A checkpoint's config names its model type (a GGUF file its architecture). Each name of a line
chooses that policy, also in --model-type. --json adds the containers and their parameters.

Examples:
  ballast models
  ballast models --export llama > my_llama.json      as a schema file, to be changed and loaded
  ballast models --schema my_llama.json              is this file sound?)";

}  // namespace

void add_models(Program& program) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = program.command("models", "List the architectures that can be loaded", kFooter, [options] {
    use_schema(*options);
    return run(*options);
  });
  program.add_json(app, options->json);
  app->add_option("--export", options->export_name, "Print this one as a schema file (see docs/schema-files.md)")
      ->option_text("NAME");
  app->add_option("--schema", options->schema, "Those of this file, in place of those that are built in")
      ->option_text("FILE");
  app->add_flag("--markdown", options->markdown, "Everything about all of them, as docs/architectures.md has it");
  app->parse_complete_callback([options = options.get()] {
    if (!options->export_name.empty() && options->schema.empty() &&
        PolicyRegistry::global().find(options->export_name) == nullptr)
      throw CLI::ValidationError(
          "--export", fmt::format("no policy answers to '{}'; `ballast models` lists what does", options->export_name));
  });
}

}  // namespace ballast::cli
