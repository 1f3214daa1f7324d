#include "plan/plan_report.hpp"

#include <fmt/format.h>

#include "mapping/fold.hpp"

namespace ballast::plan {

void PlanReport::add(std::uint32_t container, std::uint32_t parameter, std::span<const std::uint32_t> sources,
                     const std::exception& error) {
  if (const auto* ours = dynamic_cast<const Error*>(&error)) {
    for (const Diagnostic& d : ours->diagnostics()) add_one(container, parameter, sources, d);
    return;
  }
  Diagnostic d;
  d.code = Errc::finalize_failed;
  d.what = fmt::format("finalize threw: {}", error.what());
  add_one(container, parameter, sources, std::move(d));
}

void PlanReport::add_one(std::uint32_t container, std::uint32_t parameter, std::span<const std::uint32_t> sources,
                         Diagnostic d) {
  const BoundContainer& bound = binding_.containers[container];
  const std::string& name = bound.schema->parameters()[parameter].name;
  const std::string text = fmt::format("{}\n{}\n{}\n{}\n{}", name, static_cast<int>(d.code), d.what, d.expected, d.got);
  const auto [at, is_new] = by_text_.emplace(text, groups_.size());
  if (is_new) {
    d.operation = "plan";
    d.parameter = name;
    groups_.push_back({std::move(d), {}, {}});
  }
  Group& group = groups_[at->second];
  group.containers.push_back(bound.name);
  for (const std::uint32_t t : sources) {
    if (t == kUnbound) continue;
    group.tensors.push_back(catalog_.tensors[t].name);
    if (group.first.file.empty()) group.first.file = catalog_.files[catalog_.tensors[t].file].path;
  }
}

Diagnostics PlanReport::diagnose() const {
  constexpr std::size_t kShown = 8;  // a parameter of 128 experts has as many sources
  Diagnostics faults;
  for (const Group& group : groups_) {
    Diagnostic d = group.first;
    d.container = mapper::fold_containers(group.containers);
    d.tensor = fmt::format("{}", fmt::join(fold_names(group.tensors, kShown), ", "));
    faults.add(std::move(d));
  }
  return faults;
}

}  // namespace ballast::plan
