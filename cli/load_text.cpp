#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ballast/error.hpp"
#include "fold.hpp"
#include "load.hpp"
#include "names.hpp"
#include "table.hpp"
#include "terminal.hpp"
#include "words.hpp"

namespace ballast::cli {

namespace {

std::string heading(std::string_view text) { return paint(Stream::out, Colour::bold, text); }

// By container and parameter: the name of the tensor whose bytes it shares.
using Aliases = std::map<std::pair<std::size_t, std::size_t>, std::string>;

Aliases aliases_of(const LoadedModel& model) {
  Aliases aliases;
  const Plan& plan = model.plan();
  for (const PlannedTensor& tensor : plan.tensors)
    if (tensor.alias_of != kNoIndex && tensor.aux.empty())
      aliases[{tensor.container, tensor.parameter}] = local_name(model.binding(), plan.tensors[tensor.alias_of]);
  return aliases;
}

// One tensor of a container: name, dtype, shape, bytes.
struct Entry {
  std::string name;
  const Tensor* tensor = nullptr;  // null: nothing on this rank
  std::size_t parameter = 0;
};

std::vector<Entry> entries_of(const LayerContainer& container) {
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < container.n_params(); ++i) {
    const ParameterState& parameter = container.parameters()[i];
    const bool holds = parameter.is_finalised() && parameter.value().has_tensor();
    entries.push_back({parameter.name(), holds ? &parameter.value().tensor() : nullptr, i});
    if (holds)
      for (const auto& [name, tensor] : parameter.value().aux())
        entries.push_back({parameter.name() + "/" + name, &tensor, i});
  }
  return entries;
}

std::vector<std::string> cells_of(const Entry& entry) {
  if (entry.tensor == nullptr) return {entry.name, "", "", "none"};
  return {entry.name, std::string(torch_name(entry.tensor->dtype)), to_string(entry.tensor->shape),
          bytes_text(entry.tensor->nbytes())};
}

// Containers that look alike, once.
std::string folded_text(const LoadedModel& model) {
  const std::vector<LayerContainer>& containers = model.model().containers();
  const Aliases aliases = aliases_of(model);
  std::vector<std::string> names, looks;
  for (const LayerContainer& container : containers) {
    names.push_back(container.name());
    std::string look;
    for (const Entry& entry : entries_of(container)) look += joined(cells_of(entry)) + "\n";
    looks.push_back(std::move(look));
  }
  Table table({Align::left, Align::left, Align::left, Align::right, Align::left});
  for (const Alike& alike : fold_alike(names, looks)) {
    const std::size_t first = alike.members[0];
    const std::size_t count = alike.members.size();
    table.line(heading(alike.name) +
               (count == 1 ? "" : paint(Stream::out, Colour::dim, fmt::format("  {} alike", count))));
    for (const Entry& entry : entries_of(containers[first])) {
      std::vector<std::vector<std::string>> sources;
      for (const std::size_t member : alike.members) sources.push_back(model.sources(member, entry.parameter));
      std::vector<std::string> cells = cells_of(entry);
      std::string from = fold_sources(sources);
      if (entry.tensor == nullptr) from.insert(0, from.empty() ? "not in this checkpoint" : "not on this rank: ");
      if (const auto alias = aliases.find({first, entry.parameter}); alias != aliases.end())
        from += fmt::format(" (the memory of {})", alias->second);
      cells.push_back(std::move(from));
      table.row(std::move(cells));
    }
  }
  return table.text();
}

// Every parameter, as sha256sum would print it.
std::string digests_text(const LoadedModel& model, const Digests& digests, const std::string& title) {
  Table table({Align::left, Align::left, Align::left}, 0);
  table.line(heading(title));
  for (const LayerContainer& container : model.model().containers())
    for (const Entry& entry : entries_of(container)) {
      if (entry.tensor == nullptr) continue;
      const std::string& digest = digests.at(entry.tensor);
      table.row({digest.substr(digest.find(':') + 1), container.name() + "." + entry.name,
                 fmt::format("{} {}", torch_name(entry.tensor->dtype), to_string(entry.tensor->shape))});
    }
  return table.text();
}

// Ranks that look alike, once: "rank {0..3} of 4".
std::string ranks_text(const std::vector<LoadedModel>& ranks) {
  std::vector<std::string> names, looks;
  for (const LoadedModel& model : ranks) {
    names.push_back(fmt::format("rank_{}", names.size()));
    looks.push_back(folded_text(model));
  }
  std::string text;
  for (Alike& alike : fold_alike(names, looks)) {
    std::replace(alike.name.begin(), alike.name.end(), '_', ' ');
    const std::string title = fmt::format("{} of {}", alike.name, ranks.size());
    text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", heading(title), looks[alike.members[0]]);
  }
  return text;
}

std::string time_text(const LoadReport::Seconds& s) {
  return fmt::format("{}: open {}, bind {}, plan {}, read and place {}", seconds_text(s.total), seconds_text(s.open),
                     seconds_text(s.bind), seconds_text(s.plan), seconds_text(s.execute));
}

std::string read_text(const LoadedModel& model, bool verbose) {
  const ExecuteStats& stats = model.report().execute;
  const std::uint64_t needed = model.report().bytes_needed;
  std::string text = fmt::format("{} of {} needed", bytes_text(stats.bytes_read), bytes_text(needed));
  if (stats.bytes_read == needed) text += ", each byte once";
  if (const std::string speed = speed_text(stats.bytes_read, model.report().seconds.execute); !speed.empty())
    text += fmt::format(", {} on {}", speed, counted(stats.threads, "thread"));
  if (verbose)
    text += fmt::format("\n           {} straight into place, {} through staging, {}", bytes_text(stats.bytes_direct),
                        bytes_text(stats.bytes_staged), counted(stats.read_calls, "read call"));
  return text;
}

std::string skipped_text(const LoadedModel& model, bool verbose) {
  const std::vector<SkippedTensor>& skipped = model.report().skipped;
  if (skipped.empty()) return "";
  std::string text = fmt::format("  skipped  {} on purpose{}\n", counted(skipped.size(), "tensor"),
                                 verbose ? "" : " (--verbose lists them)");
  if (!verbose) return text;
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const SkippedTensor& one : skipped) by_reason[one.reason].push_back(model.catalog().tensors[one.tensor].name);
  for (const auto& [reason, names] : by_reason)
    for (const std::string& line : fold_names(names))
      text += fmt::format("           {}: {}\n", printable(line), printable(reason));
  return text;
}

std::string summary_text(const Loaded& loaded, bool verbose) {
  const LoadedModel& first = loaded.ranks.front();
  std::uint64_t arena = 0, bytes = 0;
  for (const LoadedModel& model : loaded.ranks) {
    arena += model.arena().size();
    bytes += model.report().bytes_loaded;
  }
  const std::size_t n = loaded.ranks.size();
  const std::string arenas = n == 1 ? "an arena" : fmt::format("{} arenas", n);
  std::string text;
  text += fmt::format("  read     {}\n", read_text(first, verbose));
  text += fmt::format("  loaded   {} of tensors, in {} of {}\n", bytes_text(bytes), arenas, bytes_text(arena));
  text += fmt::format("  time     {}\n", time_text(first.report().seconds));
  text += fmt::format("  memory   {} at the most", bytes_text(loaded.peak_bytes));
  if (loaded.peak_bytes > arena)
    text += fmt::format(": the arena{} and {}", n == 1 ? "" : "s", bytes_text(loaded.peak_bytes - arena));
  return text + "\n" + skipped_text(first, verbose);
}

}  // namespace

std::string load_text(const Loaded& loaded, const LoadCommandOptions& options) {
  const LoadedModel& first = loaded.ranks.front();
  std::string text =
      fmt::format("{}  {}, {}\n\n", heading(title_of(first.catalog().path)), first.report().policy, rank_text(options));
  text += loaded.ranks.size() == 1 ? folded_text(first) : ranks_text(loaded.ranks);
  if (options.digest)
    for (std::size_t r = 0; r < loaded.ranks.size(); ++r)
      text += "\n" + digests_text(loaded.ranks[r], loaded.digests,
                                  loaded.ranks.size() == 1 ? "SHA-256" : fmt::format("SHA-256, rank {}", r));
  return text + "\n" + summary_text(loaded, options.verbose);
}

}  // namespace ballast::cli
