#include <fmt/format.h>

#include <algorithm>

#include "ballast/error.hpp"
#include "fold.hpp"
#include "names.hpp"
#include "plan.hpp"
#include "table.hpp"
#include "terminal.hpp"
#include "words.hpp"

namespace ballast::cli {

namespace {

std::string heading(std::string_view text) { return paint(Stream::out, Colour::bold, text); }

// The tensors of each container, and where its part of the arena begins.
struct Part {
  std::vector<const PlannedTensor*> tensors;
  std::uint64_t begin = ~std::uint64_t{0}, end = 0;
};

std::vector<Part> parts_of(const PreparedLoad& prepared) {
  std::vector<Part> parts(prepared.binding.containers.size());
  for (const PlannedTensor& tensor : prepared.plan.tensors) {
    Part& part = parts[tensor.container];
    part.tensors.push_back(&tensor);
    if (tensor.alias_of != kNoIndex) continue;
    part.begin = std::min(part.begin, tensor.arena_offset);
    part.end = std::max(part.end, tensor.arena_offset + tensor.nbytes);
  }
  return parts;
}

std::string place_text(const PreparedLoad& prepared, const Part& part, const PlannedTensor& tensor) {
  if (tensor.alias_of != kNoIndex) {
    const PlannedTensor& other = prepared.plan.tensors[tensor.alias_of];
    return fmt::format("in {}", other.container == tensor.container ? local_name(prepared.binding, other)
                                                                    : full_name(prepared.binding, other));
  }
  return fmt::format("+{}", count_text(tensor.arena_offset - part.begin));
}

std::string looks_of(const PreparedLoad& prepared, const Part& part) {
  std::string looks;
  for (const PlannedTensor* tensor : part.tensors)
    looks += fmt::format("{} {} {} {}\n", local_name(prepared.binding, *tensor), to_string(tensor->spec),
                         place_text(prepared, part, *tensor), tensor->nbytes);
  return looks;
}

// "transformer_layer_{0..29}   at 56,623,104, each 7,077,888 after the one before"
std::string heading_of(const Alike& alike, const std::vector<Part>& parts) {
  const Part& first = parts[alike.members[0]];
  std::string text = heading(alike.name);
  if (first.tensors.empty()) return text + "  holds nothing on this rank";
  if (first.end == 0) return text + "  takes no memory of its own";
  text += "  at " + count_text(first.begin);
  if (alike.members.size() == 1) return text;
  const std::uint64_t step = parts[alike.members[1]].begin - first.begin;
  for (std::size_t i = 1; i < alike.members.size(); ++i)
    if (parts[alike.members[i]].begin - parts[alike.members[i - 1]].begin != step) return text + " and on";
  return text + fmt::format(", then every {} bytes", count_text(step));
}

std::string containers_text(const PreparedLoad& prepared, bool all) {
  const std::vector<Part> parts = parts_of(prepared);
  std::vector<std::string> names, looks;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    names.push_back(prepared.binding.containers[i].name);
    looks.push_back((all ? names.back() : "") + looks_of(prepared, parts[i]));
  }
  Table table({Align::left, Align::left, Align::left, Align::right, Align::right, Align::left});
  for (const Alike& alike : fold_alike(names, looks)) {
    table.line(heading_of(alike, parts));
    const Part& first = parts[alike.members[0]];
    for (const PlannedTensor* tensor : first.tensors) {
      std::vector<std::vector<std::string>> sources;
      for (const std::size_t member : alike.members)
        sources.push_back(source_names(*prepared.catalog, prepared.binding, member, tensor->parameter));
      table.row({local_name(prepared.binding, *tensor), std::string(name(tensor->spec.dtype)),
                 to_string(tensor->spec.shape), bytes_text(tensor->nbytes), place_text(prepared, first, *tensor),
                 fold_sources(sources)});
    }
  }
  return table.text();
}

std::string totals_text(const PreparedLoad& prepared) {
  const Plan& plan = prepared.plan;
  const PlanTotals totals = totals_of(plan);
  Table table({Align::left, Align::right, Align::left});
  table.line(heading("Totals"));
  std::string of_file = "of the files, each byte once";
  if (const std::uint64_t stored = prepared.catalog->tensor_bytes(); stored != 0)
    of_file =
        fmt::format("{:.1f}% of the tensors' {}, each byte once",
                    100.0 * static_cast<double>(plan.bytes_needed) / static_cast<double>(stored), bytes_text(stored));
  table.row({"to read", bytes_text(plan.bytes_needed), of_file});
  table.row({"  straight into place", bytes_text(totals.bytes_direct), counted(totals.groups_direct, "read group")});
  table.row({"  through staging", bytes_text(totals.bytes_staged),
             counted(totals.groups_staged, "read group") + " that convert, scatter or are wanted twice"});
  table.row({"arena", bytes_text(plan.arena_bytes), bytes_text(plan.bytes_placed) + " of tensors"});
  table.row({"scratch", bytes_text(plan.scratch_bytes), counted(plan.steps.size(), "custom step")});
  table.row({"copies", count_text(totals.copies), fmt::format("{} of them convert", count_text(totals.conversions))});
  return table.text();
}

std::string copies_text(const PreparedLoad& prepared) {
  Table table({Align::left, Align::right, Align::right, Align::left, Align::left});
  table.line(heading("Copies") + "  from byte, elements, to");
  std::uint32_t file = kNoIndex;
  for (const Copy& copy : prepared.plan.copies) {
    if (copy.file != file) table.line("  " + printable(prepared.catalog->files[copy.file].path, 2000));
    file = copy.file;
    std::string dtypes(name(copy.from));
    for (std::size_t i = 0; i < copy.n_via; ++i) dtypes += fmt::format(" > {}", name(copy.via[i]));
    if (copy.converts()) dtypes += fmt::format(" > {}", name(copy.to));
    table.row({"", std::to_string(copy.file_begin()), std::to_string(copy.elements()), dtypes,
               fmt::format("{} + {}", target_name(prepared, copy), copy.dst_begin)});
  }
  return table.text();
}

}  // namespace

std::string plan_text(const PreparedLoad& prepared, bool all) {
  const ModelContext& context = *prepared.context;
  std::string text = fmt::format("{}  {}, rank {} of {}\n\n", heading(title_of(prepared.catalog->path)),
                                 prepared.policy->name(), context.tp_rank, context.tp_size);
  text += containers_text(prepared, all);
  if (all) text.append("\n").append(copies_text(prepared));
  text.append("\n").append(totals_text(prepared));
  return text;
}

}  // namespace ballast::cli
