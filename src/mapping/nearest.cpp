#include "mapping/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

namespace ballast::mapper {
namespace {

constexpr std::size_t kLongest = 256;  // hostile names get no suggestion rather than time

struct Nearest {
  std::string_view source;
  std::size_t distance = 0;
};

// A third of the name may differ.
std::size_t most_edits(std::string_view local) { return std::max<std::size_t>(3, local.size() / 3); }

// Nearer than `distance`, or an empty source.
Nearest find(const ContainerSchema& schema, std::string_view local, std::size_t distance) {
  Nearest found{{}, distance};
  if (local.size() > kLongest) return found;
  for (const MappingRule& rule : schema.rules())
    for (const std::string& source : rule.sources) {
      if (found.distance == 0) return found;
      const std::size_t edits = edit_distance(local, source, found.distance - 1);
      if (edits < found.distance) found = {source, edits};
    }
  return found;
}

const ContainerSchema* schema_of_layer(const ContainerMap& map, std::size_t layer) {
  for (const ContainerMap::Layers& group : map.layer_groups()) {
    if (layer < group.schemas.size()) return group.schemas[layer];
    layer -= group.schemas.size();
  }
  return nullptr;
}

// The first segment that is a number: the path before it and the name behind it.
struct Numbered {
  std::string_view number;
  std::string_view local;
};
Numbered first_number(std::string_view name) {
  for (std::string_view rest = name; detail::has_more(rest);) {
    const std::string_view segment = detail::first_segment(rest);
    rest = detail::after_segment(rest);
    if (!segment.empty() && std::all_of(segment.begin(), segment.end(), [](char c) { return c >= '0' && c <= '9'; }))
      return {segment, rest};
  }
  return {};
}

// Among the layers, for a name that has a layer's form but not its path.
std::string nearest_in_layers(const ContainerMap& map, std::string_view name, std::size_t distance) {
  const Numbered numbered = first_number(name);
  if (numbered.local.empty()) return {};
  distance = std::min(distance, most_edits(numbered.local) + 1);
  std::string found;
  for (const ContainerMap::Layers& group : map.layer_groups()) {
    std::size_t layer = 0;
    const char* const end = numbered.number.data() + numbered.number.size();
    if (std::from_chars(numbered.number.data(), end, layer).ec != std::errc()) continue;
    if (group.prefixes.empty() || layer >= group.schemas.size()) continue;
    const Nearest near = find(*group.schemas[layer], numbered.local, distance);
    if (near.source.empty()) continue;
    distance = near.distance;
    found = fmt::format("{}.{}.{}", group.prefixes.front(), layer, near.source);
  }
  return found;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > most) return most + 1;
  std::vector<std::size_t> row(a.size() + 1);
  for (std::size_t i = 0; i <= a.size(); ++i) row[i] = i;
  for (std::size_t j = 1; j <= b.size(); ++j) {
    std::size_t diagonal = row[0], best = row[0] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U);
      diagonal = row[i];
      row[i] = std::min({row[i] + 1, row[i - 1] + 1, replaced});
      best = std::min(best, row[i]);
    }
    if (best > most) return most + 1;
  }
  return row.back();
}

std::string nearest_source(const ContainerSchema& schema, std::string_view local) {
  return std::string(find(schema, local, most_edits(local) + 1).source);
}

std::string nearest_name(const ContainerMap& map, std::string_view name) {
  const ContainerMap::Route route = map.route(name);
  const bool in_layer = route.kind == ContainerMap::RouteKind::layer;
  const ContainerSchema* schema = in_layer ? schema_of_layer(map, route.container) : map.rest();
  Nearest near{{}, most_edits(route.local) + 1};
  if (schema != nullptr) near = find(*schema, route.local, near.distance);
  if (!in_layer)
    if (std::string layer = nearest_in_layers(map, route.local, near.source.empty() ? kLongest : near.distance);
        !layer.empty())
      return layer;
  if (near.source.empty()) return {};
  // With the prefix that the name has.
  return fmt::format("{}{}", name.substr(0, name.size() - route.local.size()), near.source);
}

}  // namespace ballast::mapper
