// ballast models: the architectures that Ballast knows.
#include <fmt/format.h>

#include <memory>

#include "ballast/policy.hpp"
#include "commands.hpp"
#include "json.hpp"
#include "program.hpp"
#include "table.hpp"
#include "terminal.hpp"

namespace ballast::cli {

namespace {

std::string run(bool json) {
  Json policies = Json::array();
  Table table({Align::left, Align::left, Align::left});
  table.row({"Policy", "Model types", "Architectures"});
  for (const InferencePolicy* policy : PolicyRegistry::global().all()) {
    policies.push_back(
        {{"name", policy->name()}, {"model_types", policy->model_types()}, {"architectures", policy->architectures()}});
    table.row({std::string(policy->name()), fmt::format("{}", fmt::join(policy->model_types(), ", ")),
               fmt::format("{}", fmt::join(policy->architectures(), ", "))});
  }
  return json ? document({{"policies", std::move(policies)}}) : table.text();
}

constexpr const char* kFooter =
    R"(A checkpoint's config names its model type (a GGUF file its architecture). Each name of a line
chooses that policy, also in --model-type.)";

}  // namespace

void add_models(Program& program) {
  const auto json = std::make_shared<bool>(false);
  CLI::App* app =
      program.command("models", "List the architectures that can be loaded", kFooter, [json] { return run(*json); });
  program.add_json(app, *json);
}

}  // namespace ballast::cli
