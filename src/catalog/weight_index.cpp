#include "catalog/weight_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "catalog/describe.hpp"
#include "catalog/json_text.hpp"

namespace ballast::catalog {
namespace {

Diagnostic index_fault(Errc code, const std::string& path, std::string what) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.operation = kIndexJson.operation;
  diagnostic.file = path;
  diagnostic.what = std::move(what);
  return diagnostic;
}

simdjson::dom::object find_weight_map(simdjson::dom::element root, const std::string& path) {
  Diagnostic diagnostic = index_fault(Errc::index_invalid, path, "the index has no weight_map");
  diagnostic.expected = R"(an object {"weight_map": {tensor name: shard file name, ...}})";
  diagnostic.cause = "not an index? Name the checkpoint's folder to have its files found";
  simdjson::dom::object members;
  if (root.get(members) != simdjson::SUCCESS) {
    diagnostic.got = describe(to_value(root));
    throw Error(std::move(diagnostic));
  }
  std::size_t n_maps = 0;
  simdjson::dom::element found;
  for (const auto& [key, element] : members) {
    if (key != "weight_map") continue;
    found = element;
    ++n_maps;
  }
  if (n_maps > 1) throw Error(index_fault(Errc::duplicate_key, path, "the index has several members \"weight_map\""));
  simdjson::dom::object map;
  if (n_maps == 1 && found.get(map) == simdjson::SUCCESS) return map;
  diagnostic.got = n_maps == 0 ? "no such member" : describe(to_value(found));
  throw Error(std::move(diagnostic));
}

// Builds the index entry by entry. Shards are numbered as they turn up; `finish` sorts them.
class Builder {
 public:
  Builder(const std::string& path, Diagnostics& faults) : path_(path), faults_(faults) {}

  void add(std::string_view tensor, simdjson::dom::element shard) {
    if (!tensors_.insert(tensor).second) {
      Diagnostic diagnostic = index_fault(Errc::duplicate_key, path_, "the index names this tensor twice");
      diagnostic.tensor = tensor;
      faults_.add(std::move(diagnostic));
      return;
    }
    std::string_view shard_name;
    if (shard.get(shard_name) != simdjson::SUCCESS) {
      Diagnostic diagnostic = index_fault(Errc::index_invalid, path_, "the index gives no file name for this tensor");
      diagnostic.tensor = tensor;
      diagnostic.expected = "a string: the name of a shard";
      diagnostic.got = describe(to_value(shard));
      faults_.add(std::move(diagnostic));
      return;
    }
    if (const auto number = number_of(shard_name)) index_.entries.push_back({std::string(tensor), *number});
  }

  WeightIndex finish() {
    std::vector<std::uint32_t> sorted_place(numbers_.size());
    for (const auto& [shard, number] : numbers_) {
      sorted_place[number] = static_cast<std::uint32_t>(index_.shards.size());
      index_.shards.push_back(shard);
    }
    for (WeightIndex::Entry& entry : index_.entries) entry.shard = sorted_place[entry.shard];
    return std::move(index_);
  }

 private:
  // Nothing for a name that is refused; that is reported once, however many tensors it is to hold.
  std::optional<std::uint32_t> number_of(std::string_view shard_name) {
    const auto [known, is_new] = by_spelling_.try_emplace(shard_name);
    if (!is_new) return known->second;
    if (auto shard = contained_path(shard_name)) {
      // The limit on an index's size keeps the number of shards far below 32 bits.
      const auto next = static_cast<std::uint32_t>(numbers_.size());
      known->second = numbers_.try_emplace(std::move(*shard), next).first->second;
    } else {
      Diagnostic diagnostic = index_fault(Errc::shard_path_escapes, path_, "the index names a file outside its folder");
      diagnostic.expected = "a relative path without '..', backslashes and NUL";
      diagnostic.got = quoted(shard_name);
      diagnostic.cause = "do not load this checkpoint unless you know who made it";
      faults_.add(std::move(diagnostic));
    }
    return known->second;
  }

  const std::string& path_;
  Diagnostics& faults_;
  WeightIndex index_;
  std::unordered_set<std::string_view> tensors_;  // the views of both live as long as the parsed document
  std::unordered_map<std::string_view, std::optional<std::uint32_t>> by_spelling_;
  std::map<std::string, std::uint32_t> numbers_;
};

}  // namespace

WeightIndex parse_weight_index(const std::string& json, const std::string& path, Diagnostics& faults) {
  simdjson::dom::parser parser;
  const simdjson::dom::object map = find_weight_map(parse_json(parser, json, kIndexJson, path), path);
  Builder builder(path, faults);
  for (const auto& [tensor, shard] : map) builder.add(tensor, shard);
  if (map.begin() == map.end()) {
    Diagnostic diagnostic = index_fault(Errc::index_invalid, path, "the index's weight_map is empty");
    diagnostic.expected = "at least one tensor";
    throw Error(std::move(diagnostic));
  }
  return builder.finish();
}

std::optional<std::string> contained_path(std::string_view shard_name) {
  const bool absolute = shard_name.starts_with('/');
  if (absolute || shard_name.find('\\') != std::string_view::npos || shard_name.find('\0') != std::string_view::npos)
    return std::nullopt;
  std::string path;
  while (!shard_name.empty()) {
    const std::string_view component = shard_name.substr(0, shard_name.find('/'));
    shard_name.remove_prefix(std::min(component.size() + 1, shard_name.size()));
    if (component == "..") return std::nullopt;
    if (component.empty() || component == ".") continue;
    if (!path.empty()) path += '/';
    path += component;
  }
  if (path.empty()) return std::nullopt;
  return path;
}

}  // namespace ballast::catalog
