#include "mapping/bind_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "mapping/fold.hpp"
#include "mapping/nearest.hpp"

namespace ballast::mapper {

namespace {

// "48 tensors" is said where a line stands for more than one name.
std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return count == 1 ? std::string(one) : fmt::format("{} {}", count, many);
}

}  // namespace

void BindReport::explain(const NameFault& first, std::size_t count, Diagnostic& d) const {
  switch (first.code) {
    case Errc::dependency_missing:
      d.what = fmt::format("{} missing from the checkpoint", counted(count, "a tensor is", "tensors are"));
      if (!first.alternatives.empty()) d.expected = fmt::format("this name, or {}", first.alternatives);
      break;
    case Errc::name_unclaimed:
      d.what = fmt::format("{} in the checkpoint that nothing in the model takes",
                           counted(count, "there is a tensor", "tensors are"));
      d.nearest = nearest_name(map_, first.name);
      d.cause = "a checkpoint of another architecture, or a policy that should skip this name on purpose";
      break;
    case Errc::companion_unclaimed:
      d.what = fmt::format("{} to quantised weights ({})", counted(count, "a tensor belongs", "tensors belong"),
                           first.detail);
      d.expected = "plain weights";
      d.cause = "a quantised checkpoint; use the original one, quantised loading is not supported yet";
      break;
    case Errc::layer_index_out_of_range:
      d.what = fmt::format("{} to a layer that the model does not have",
                           counted(count, "a tensor belongs", "tensors belong"));
      d.expected = first.detail;
      d.cause = "a config.json of another model, or layers that a policy should declare (such as an MTP layer)";
      break;
    case Errc::list_index_invalid:
      d.what = fmt::format("{} no valid index into its list", counted(count, "a tensor has", "tensors have"));
      d.expected = first.detail;
      d.cause = "a config.json of another model, with fewer experts or the like";
      break;
    case Errc::name_claimed_twice:
      d.what = fmt::format("{} claimed twice", counted(count, "a name or its place is", "names or their places are"));
      d.got = first.detail;
      break;
    default:
      d.what = first.detail;
      break;
  }
}

// Names that are missing may be so for different reasons, and are one line all the same.
std::string BindReport::causes(const Members& members, const Fold& folded) {
  constexpr std::size_t kMostShown = 3;
  std::vector<std::string_view> shown;
  for (const std::size_t i : folded.members)
    if (shown.size() < kMostShown && std::find(shown.begin(), shown.end(), members[i]->detail) == shown.end())
      shown.emplace_back(members[i]->detail);
  return fmt::format("{}", fmt::join(shown, "\n"));
}

Diagnostic BindReport::describe(const Members& members, const Fold& folded) const {
  const NameFault& first = *members[folded.members.front()];
  std::vector<std::string> containers;
  for (const std::size_t i : folded.members)
    if (!members[i]->container.empty()) containers.push_back(members[i]->container);
  Diagnostic d;
  d.code = first.code;
  d.operation = "bind";
  d.container = fold_containers(std::move(containers));
  d.parameter = first.parameter;
  d.dependency = first.dependency;
  d.tensor = folded.line;
  d.file = first.file;
  explain(first, folded.members.size(), d);
  if (first.code == Errc::dependency_missing) d.cause = causes(members, folded);
  return d;
}

void BindReport::diagnose(const Members& members, Diagnostics& all) const {
  std::vector<std::string> names;
  names.reserve(members.size());
  for (const NameFault* member : members) names.push_back(member->name);
  // Those that will not be kept need no sentence: they are counted.
  for (const Fold& folded : fold(names))
    all.add(all.total() < Diagnostics::kMaxKept ? describe(members, folded) : Diagnostic{});
}

// Layers too many are one line, and not one for every name of a layer; unless one name is all there is of them.
void BindReport::diagnose_layers(const Members& members, Diagnostics& all) const {
  std::vector<std::string> layers;
  layers.reserve(members.size());
  for (const NameFault* member : members) layers.push_back(member->layer);
  for (const Fold& folded : fold(layers)) {
    std::vector<std::string> names;
    Members mine;
    for (const std::size_t i : folded.members) {
      mine.push_back(members[i]);
      names.push_back(members[i]->name);
    }
    std::vector<Fold> lines = fold(names);
    if (lines.size() == 1) {
      all.add(describe(mine, lines.front()));
      continue;
    }
    Fold whole{folded.line + ".*", {}};
    for (std::size_t i = 0; i < mine.size(); ++i) whole.members.push_back(i);
    Diagnostic d = describe(mine, whole);
    d.got = fmt::format("names of {} forms, such as '{}'", lines.size(), printable(mine.front()->name));
    all.add(std::move(d));
  }
}

Diagnostics BindReport::diagnose() const {
  // What is folded together differs in its numbers only. Companions come first: they are why weights are missing.
  using Key = std::tuple<bool, Errc, std::string, std::string, std::string>;
  std::map<Key, Members> groups;
  for (const NameFault& fault : faults_) {
    const std::string detail = fault.code == Errc::dependency_missing ? "" : fault.detail;
    groups[Key(fault.code != Errc::companion_unclaimed, fault.code, fault.parameter, fault.dependency, detail)]
        .push_back(&fault);
  }
  Diagnostics all;
  for (const auto& [key, members] : groups) {
    if (std::get<Errc>(key) == Errc::layer_index_out_of_range)
      diagnose_layers(members, all);
    else
      diagnose(members, all);
  }
  if (not_listed_ != 0) {
    Diagnostic d;
    d.code = faults_.back().code;
    d.operation = "bind";
    d.what = fmt::format("{} more names are at fault", not_listed_);
    all.add(std::move(d));
  }
  return all;
}

}  // namespace ballast::mapper
