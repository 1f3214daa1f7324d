// ballast plan: where each byte goes.
#include "plan.hpp"

#include <memory>

#include "commands.hpp"
#include "names.hpp"
#include "options.hpp"
#include "program.hpp"

namespace ballast::cli {

namespace {

// A system call's part costs more than copying this little: shorter runs go through the staging memory.
constexpr std::uint64_t kLeastDirectRun = 512;

std::uint64_t bytes_of(const Copy& copy, std::uint64_t elements) {
  const DTypeInfo& type = info(copy.from);
  return elements / type.block_elements * type.block_bytes;
}

bool can_be_direct(const Copy& copy) {
  return !copy.converts() && copy.run_is_contiguous_in_target() &&
         bytes_of(copy, copy.run_elements()) >= kLeastDirectRun;
}

}  // namespace

PlanTotals totals_of(const Plan& plan) {
  PlanTotals totals;
  totals.copies = plan.copies.size();
  for (const ReadGroup& group : plan.groups) {
    bool direct = true;
    std::uint64_t bytes = 0;
    for (std::uint32_t i = 0; i < group.n_copies; ++i) {
      const Copy& copy = plan.copies[group.first_copy + i];
      totals.conversions += copy.converts() ? 1 : 0;
      direct = direct && can_be_direct(copy);
      bytes += bytes_of(copy, copy.elements());
    }
    // More than there is: some bytes are wanted twice, and are read once and copied.
    direct = direct && bytes <= group.end - group.begin;
    ++(direct ? totals.groups_direct : totals.groups_staged);
    if (direct) totals.bytes_direct += bytes;
  }
  totals.bytes_staged = plan.bytes_needed - totals.bytes_direct;
  return totals;
}

std::string target_name(const PreparedLoad& prepared, const Copy& copy) {
  if (!copy.to_scratch) return full_name(prepared.binding, prepared.plan.tensors[copy.target]);
  return "scratch " + std::to_string(copy.target);
}

namespace {

struct Options : CommonOptions {
  bool all = false;
};

std::string run(const Options& options) {
  const PreparedLoad prepared = prepare(options.path, options.load);
  return options.json ? document(plan_json(prepared, options.all)) : plan_text(prepared, options.all);
}

constexpr const char* kFooter =
    R"(Reads headers only. Containers that are laid out alike are shown once. --all lists every copy: a
part of a file and the tensor that it goes to.

Examples:
  ballast plan path/to/folder
  ballast plan model.gguf --tp-size 4 --tp-rank 1 --all)";

}  // namespace

void add_plan(Program& program) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = program.command("plan", "Show where each byte of a load goes; reads no weights", kFooter, [options] {
    use_schema(*options);
    return run(*options);
  });
  add_path(program, app, *options);
  add_model_options(app, *options, RankChoice::one);
  app->add_flag("--all", options->all, "Every container for itself, and every copy");
}

}  // namespace ballast::cli
