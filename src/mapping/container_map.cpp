#include "ballast/container_map.hpp"

#include <charconv>
#include <optional>

namespace ballast {

namespace {

// The rest of a name after a prefix of whole segments (`*` is any one); nothing where it has another start. Empty where
// the name is the prefix.
std::optional<std::string_view> after_prefix(std::string_view name, std::string_view prefix) {
  for (;;) {
    const std::string_view wanted = detail::first_segment(prefix);
    const std::string_view segment = detail::first_segment(name);
    if (wanted != segment && wanted != "*") return std::nullopt;
    const bool more_name = detail::has_more(name);
    name = detail::after_segment(name);
    if (!detail::has_more(prefix)) return more_name ? name : std::string_view();
    if (!more_name) return std::nullopt;
    prefix = detail::after_segment(prefix);
  }
}

// Plain prefixes are the common case and need no walk over segments.
std::optional<std::string_view> after_plain_prefix(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix) || name.size() == prefix.size() || name[prefix.size()] != '.') return std::nullopt;
  return name.substr(prefix.size() + 1);
}

std::optional<std::uint64_t> layer_number(std::string_view text) {
  if (text.empty() || text.size() > 9 || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

ContainerMap& ContainerMap::layers(std::vector<std::string> prefixes, const ContainerSchema& schema,
                                   std::uint64_t count) {
  return layers(std::move(prefixes), std::vector<const ContainerSchema*>(count, &schema));
}

ContainerMap& ContainerMap::layers(std::vector<std::string> prefixes, std::vector<const ContainerSchema*> schemas) {
  layers_.push_back({std::move(prefixes), std::move(schemas)});
  return *this;
}

ContainerMap& ContainerMap::non_transformer(const ContainerSchema& schema) {
  rest_ = &schema;
  return *this;
}

ContainerMap& ContainerMap::skip(std::string pattern, std::string reason) {
  skips_.push_back({std::move(pattern), std::move(reason)});
  return *this;
}

ContainerMap& ContainerMap::optional_root(std::string root) {
  roots_.push_back(std::move(root));
  return *this;
}

std::uint64_t ContainerMap::n_layers() const noexcept {
  std::uint64_t count = 0;
  for (const Layers& group : layers_) count += group.schemas.size();
  return count;
}

ContainerMap::Route ContainerMap::route(std::string_view tensor_name) const noexcept {
  for (const std::string& root : roots_)
    if (const auto rest = after_plain_prefix(tensor_name, root)) {
      tensor_name = *rest;
      break;
    }
  Route route;
  for (std::size_t s = 0; s < skips_.size(); ++s)
    if (after_prefix(tensor_name, skips_[s].pattern)) {
      route.kind = RouteKind::skip;
      route.container = s;
      return route;
    }
  std::size_t first = 0;
  for (const Layers& group : layers_) {
    for (const std::string& prefix : group.prefixes) {
      const auto rest = after_plain_prefix(tensor_name, prefix);
      if (!rest) continue;
      route.index = detail::first_segment(*rest);
      route.local = detail::after_segment(*rest);
      const auto number = layer_number(route.index);
      const bool good = number && *number < group.schemas.size() && !route.local.empty();
      route.kind = good ? RouteKind::layer : RouteKind::bad_layer;
      route.container = first + (good ? *number : 0);
      return route;
    }
    first += group.schemas.size();
  }
  route.local = tensor_name;
  return route;
}

}  // namespace ballast
