#include "catalog/folder_candidates.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

namespace ballast::catalog {
namespace {

constexpr std::string_view kIndexEnd = ".safetensors.index.json";

struct ShardName {
  std::string_view stem;       // "model"
  std::string_view number;     // "00001"
  std::string_view count;      // "00003"
  std::string_view extension;  // ".safetensors"
};

std::optional<std::string_view> weight_extension(std::string_view name) noexcept {
  for (const std::string_view extension : {".safetensors", ".gguf"})
    if (name.size() > extension.size() && name.ends_with(extension)) return extension;
  return std::nullopt;
}

// Nothing for what is no plain number. Six digits are more shards than any checkpoint has, and bound the work that a
// name can ask for.
std::optional<std::uint32_t> small_number(std::string_view digits) noexcept {
  std::uint32_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (digits.empty() || digits.size() > 6 || stop != end || error != std::errc()) return std::nullopt;
  return value;
}

// "model-00001-of-00003.safetensors"; nothing for a name of another form.
std::optional<ShardName> shard_name(std::string_view name, std::string_view extension) noexcept {
  const std::string_view base = name.substr(0, name.size() - extension.size());
  const std::size_t of = base.rfind("-of-");
  if (of == std::string_view::npos || of == 0) return std::nullopt;
  const std::size_t dash = base.rfind('-', of - 1);
  if (dash == std::string_view::npos || dash == 0) return std::nullopt;
  const ShardName shard{base.substr(0, dash), base.substr(dash + 1, of - dash - 1), base.substr(of + 4), extension};
  const auto number = small_number(shard.number);
  const auto count = small_number(shard.count);
  if (!number || !count || *number > *count) return std::nullopt;
  return shard;
}

// The shards of one set that are there, by number.
struct ShardSet {
  ShardName any;  // one of them, for stem, count and digits
  std::map<std::uint32_t, std::string> present;
};

Candidate candidate_of(const ShardSet& set) {
  Candidate candidate;
  const std::uint32_t count = *small_number(set.any.count);
  // Shards are numbered from 1; some tools number them from 0.
  const std::uint32_t first = set.present.contains(0) && !set.present.contains(count) ? 0 : 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t number = first + i;
    if (const auto found = set.present.find(number); found != set.present.end())
      candidate.files.push_back(found->second);
    else
      candidate.files.push_back(fmt::format("{}-{:0{}}-of-{}{}", set.any.stem, number, set.any.number.size(),
                                            set.any.count, set.any.extension));
  }
  candidate.label = fmt::format("{}-*-of-{}{}", set.any.stem, set.any.count, set.any.extension);
  return candidate;
}

}  // namespace

bool is_adapter(std::string_view name) noexcept {
  return name == "adapter_model.safetensors" || name == "adapter_model.bin";
}

std::vector<Candidate> find_candidates(const std::vector<std::string>& names) {
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, ShardSet> sets;
  std::map<std::string, Candidate> by_label;
  std::set<std::string_view> settled;  // stems of safetensors for which shards need not be considered
  for (const std::string& name : names) {
    const auto extension = weight_extension(name);
    if (!extension || is_adapter(name)) continue;
    if (const auto shard = shard_name(name, *extension)) {
      ShardSet& set = sets[{shard->stem, shard->count, shard->extension}];
      set.any = *shard;
      if (set.present.try_emplace(*small_number(shard->number), name).second) continue;
    }
    by_label[name] = {name, "", {name}};
    if (*extension == ".safetensors") settled.insert(std::string_view(name).substr(0, name.size() - extension->size()));
  }
  for (const std::string& name : names) {
    if (!name.ends_with(kIndexEnd)) continue;
    if (settled.insert(std::string_view(name).substr(0, name.size() - kIndexEnd.size())).second)
      by_label[name] = {name, name, {}};
  }
  for (const auto& [key, set] : sets) {
    if (set.any.extension == ".safetensors" && settled.contains(set.any.stem)) continue;
    Candidate candidate = candidate_of(set);
    by_label[candidate.label] = std::move(candidate);
  }
  std::vector<Candidate> candidates;
  for (auto& [label, candidate] : by_label) candidates.push_back(std::move(candidate));
  return candidates;
}

}  // namespace ballast::catalog
