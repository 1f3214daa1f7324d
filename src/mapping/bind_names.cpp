#include "mapping/bind_names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::mapper {

namespace {

bool begins_with_segment(std::string_view name, std::string_view prefix) {
  return name.size() > prefix.size() && name.starts_with(prefix) && name[prefix.size()] == '.';
}

// What a weight and its companions have in common: the name without its last segment.
std::string_view stem(std::string_view name) { return name.substr(0, name.rfind('.')); }

}  // namespace

void NameSpelling::note_alternative(std::size_t alternative) {
  if (alternatives_.size() <= alternative) alternatives_.resize(alternative + 1);
  ++alternatives_[alternative];
}

std::size_t NameSpelling::likely_alternative(const MappingRule& rule) const {
  const std::size_t known = std::min(alternatives_.size(), rule.sources.size());
  const auto end = alternatives_.begin() + static_cast<std::ptrdiff_t>(known);
  const auto most = std::max_element(alternatives_.begin(), end);  // the first of equals, as declared
  return most == end ? 0 : static_cast<std::size_t>(most - alternatives_.begin());
}

std::string NameSpelling::others(const MappingRule& rule, std::size_t but) {
  std::string text;
  for (std::size_t i = 0; i < rule.sources.size(); ++i)
    if (i != but) text += fmt::format("{}'{}'", text.empty() ? "" : " or ", rule.sources[i]);
  return text;
}

void NameSpelling::note_companion(std::string_view name) { quantised_.emplace(stem(name)); }

bool NameSpelling::has_companion(std::string_view name) const {
  return !quantised_.empty() && quantised_.contains(std::string(stem(name)));
}

std::string NameSpelling::full_name(std::size_t container, std::string local, std::uint32_t element) {
  look();
  if (const std::size_t star = local.find('*'); star != std::string::npos && !detail::leads_with_wildcard(local))
    local.replace(star, 1, std::to_string(element));
  std::size_t layer = container;
  for (std::size_t g = 0; g < prefixes_.size(); ++g) {
    const std::size_t count = map_.layer_groups()[g].schemas.size();
    if (layer < count) return fmt::format("{}{}.{}.{}", root_, prefixes_[g], layer, local);
    layer -= count;
  }
  return root_ + local;
}

void NameSpelling::look() {
  if (looked_) return;
  looked_ = true;
  const auto occurs = [&](const auto& test) {
    return std::any_of(catalog_.tensors.begin(), catalog_.tensors.end(),
                       [&](const TensorInfo& tensor) { return test(std::string_view(tensor.name)); });
  };
  for (const std::string& root : map_.roots())
    if (root_.empty() && occurs([&](std::string_view name) { return begins_with_segment(name, root); }))
      root_ = root + ".";
  for (const ContainerMap::Layers& group : map_.layer_groups()) {
    const auto used = std::find_if(group.prefixes.begin(), group.prefixes.end(), [&](const std::string& prefix) {
      return occurs([&](std::string_view name) { return begins_with_segment(without_root(name), prefix); });
    });
    prefixes_.push_back(used == group.prefixes.end() ? group.prefixes.front() : *used);
  }
}

std::string_view NameSpelling::without_root(std::string_view name) const {
  if (!root_.empty() && name.starts_with(root_)) name.remove_prefix(root_.size());
  return name;
}

}  // namespace ballast::mapper
