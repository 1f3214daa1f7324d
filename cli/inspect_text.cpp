#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "ballast/binding.hpp"
#include "ballast/error.hpp"
#include "inspect.hpp"
#include "table.hpp"
#include "terminal.hpp"
#include "words.hpp"

namespace ballast::cli {

namespace {

std::string heading(std::string_view text) { return paint(Stream::out, Colour::bold, text); }

// "llama, 30 layers, 9 heads of 64 (3 kv), dim 576, ...": what the config states.
std::string config_text(const ModelConfig& config) {
  std::vector<std::string> parts;
  parts.push_back(config.model_type.empty() ? "no model type" : printable(config.model_type, 60));
  const auto add = [&parts](std::uint64_t value, std::string_view label) {
    if (value != 0) parts.push_back(fmt::format("{} {}", label, count_text(value)));
  };
  if (config.n_layers != 0) parts.push_back(counted(config.n_layers, "layer"));
  if (config.n_heads != 0) {
    std::string heads = counted(config.n_heads, "head");
    if (config.head_size != 0) heads += fmt::format(" of {}", config.head_size);
    if (config.n_heads_kv != 0 && config.n_heads_kv != config.n_heads)
      heads += fmt::format(" ({} kv)", config.n_heads_kv);
    parts.push_back(std::move(heads));
  }
  if (config.n_experts != 0) parts.push_back(counted(config.n_experts, "expert"));
  add(config.model_dim, "dim");
  add(config.intermediate_dim, "mlp");
  add(config.vocab_size, "vocab");
  add(config.max_positions, "positions");
  if (config.dtype) parts.emplace_back(name(*config.dtype));
  if (config.tie_word_embeddings == true) parts.emplace_back("tied embeddings");
  if (!config.quantisation.empty()) parts.push_back("quantised: " + printable(config.quantisation, 60));
  return joined(parts);
}

// As lines of at most some 98 columns.
std::string wrapped(const std::string& text) {
  std::string out = "  ";
  std::size_t column = 2;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(", ", at), text.size());
    const std::string_view part = std::string_view(text).substr(at, end - at);
    if (column > 2 && column + part.size() + 2 > 98) {
      out += ",\n  ";
      column = 2;
    } else if (at > 0) {
      out += ", ";
      column += 2;
    }
    out += part;
    column += part.size();
    at = end + 2;
  }
  return out + "\n";
}

std::string files_text(const Catalog& catalog) {
  std::vector<std::uint64_t> counts(catalog.files.size(), 0);
  for (const TensorInfo& tensor : catalog.tensors) ++counts[tensor.file];
  Table table({Align::left, Align::left, Align::right, Align::left, Align::left});
  table.line(heading(catalog.files.size() == 1 ? "File" : "Files"));
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < catalog.files.size(); ++i) {
    const CatalogFile& file = catalog.files[i];
    bytes += file.file_bytes;
    table.row({printable(base_name(file.path)), std::string(name(file.format)), bytes_text(file.file_bytes),
               counted(counts[i], "tensor"), "header " + bytes_text(file.header_bytes)});
  }
  if (catalog.files.size() > 1)
    table.row(
        {counted(catalog.files.size(), "file"), "", bytes_text(bytes), counted(catalog.tensors.size(), "tensor")});
  return table.text();
}

std::string metadata_text(const Catalog& catalog, bool all) {
  std::string text;
  for (const CatalogFile& file : catalog.files) {
    const Value::Object* members = file.metadata.object();
    if (members == nullptr || members->empty()) continue;
    // Shards mostly say the same: once will do.
    if (!all && &file != &catalog.files.front() && !text.empty()) break;
    Table table({Align::left, Align::left});
    table.line(heading("Metadata") + (catalog.files.size() > 1 ? " of " + printable(base_name(file.path)) : ""));
    for (const auto& [key, value] : *members) table.row({printable(key, 60), value_text(value, all ? 100'000 : 42)});
    text += table.text();
  }
  return text;
}

// Tensors of one dtype and shape whose names differ in numbers only.
struct Line {
  std::vector<std::string> names;
  const TensorInfo* first = nullptr;
  std::uint32_t last_file = 0, first_file = ~0U;
};

// The name with its numbers blanked.
std::string form_of(std::string_view name) {
  std::string form;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('.', at), name.size());
    const std::string_view segment = name.substr(at, end - at);
    const bool is_number = !segment.empty() && segment.find_first_not_of("0123456789") == std::string_view::npos;
    form += is_number ? std::string_view("#") : segment;
    form += '.';
    at = end + 1;
  }
  return form;
}

std::vector<Line> lines_of(const Catalog& catalog, bool all) {
  std::vector<Line> lines;
  std::map<std::tuple<std::string, DType, std::string>, std::size_t> known;
  for (const TensorInfo& tensor : catalog.tensors) {
    std::string form = all ? tensor.name : form_of(tensor.name);
    const auto [at, is_new] =
        known.emplace(std::tuple(std::move(form), tensor.dtype, to_string(tensor.shape)), lines.size());
    if (is_new) lines.push_back({.names = {}, .first = &tensor});
    Line& line = lines[at->second];
    line.names.push_back(tensor.name);
    line.first_file = std::min(line.first_file, tensor.file);
    line.last_file = std::max(line.last_file, tensor.file);
  }
  return lines;
}

std::string where_text(const Line& line) {
  return line.first_file == line.last_file ? fmt::format("file {}", line.first_file + 1)
                                           : fmt::format("files {}-{}", line.first_file + 1, line.last_file + 1);
}

std::string tensors_text(const Catalog& catalog, bool all) {
  Table table({Align::left, Align::left, Align::left, Align::right, Align::right, Align::left});
  table.line(heading("Tensors"));
  const bool one_file = catalog.files.size() == 1;
  for (const Line& line : lines_of(catalog, all)) {
    const TensorInfo& first = *line.first;
    const std::size_t count = line.names.size();
    // Numbers with gaps in them can take several lines.
    const std::vector<std::string> names = all ? line.names : fold_names(line.names);
    table.row({printable(names[0], 120), std::string(name(first.dtype)), to_string(first.shape),
               count == 1 ? "" : count_text(count) + " x", bytes_text(first.nbytes), one_file ? "" : where_text(line)});
    for (std::size_t i = 1; i < names.size(); ++i) table.row({printable(names[i], 120)});
  }
  return table.text();
}

std::string totals_text(const Catalog& catalog) {
  struct Total {
    std::uint64_t tensors = 0, elements = 0, bytes = 0;
    void add(const TensorInfo& tensor) {
      ++tensors;
      elements += tensor.shape.numel();
      bytes += tensor.nbytes;
    }
  };
  std::map<DType, Total> by_dtype;
  Total sum;
  for (const TensorInfo& tensor : catalog.tensors) {
    by_dtype[tensor.dtype].add(tensor);
    sum.add(tensor);
  }
  Table table({Align::left, Align::right, Align::right, Align::right});
  table.line(heading("Totals"));
  const auto row = [&table](std::string_view label, const Total& total) {
    table.row({std::string(label), counted(total.tensors, "tensor"), count_text(total.elements) + " elements",
               bytes_text(total.bytes)});
  };
  for (const auto& [dtype, total] : by_dtype) row(name(dtype), total);
  if (by_dtype.size() > 1) row("all", sum);
  return table.text();
}

}  // namespace

std::string inspect_text(const Catalog& catalog, bool all) {
  std::string text = heading(title_of(catalog.path)) + "\n";
  text += catalog.config ? wrapped(config_text(*catalog.config)) : "  no config.json beside it\n";
  for (const std::string& part :
       {files_text(catalog), metadata_text(catalog, all), tensors_text(catalog, all), totals_text(catalog)})
    if (!part.empty()) text.append("\n").append(part);
  if (!catalog.unindexed.empty()) {
    text += fmt::format("\n{} in the files that the index does not list (left out above)\n",
                        counted(catalog.unindexed.size(), "tensor"));
    for (const std::string& line : fold_names(catalog.unindexed)) text += "  " + printable(line) + "\n";
  }
  return text;
}

}  // namespace ballast::cli
