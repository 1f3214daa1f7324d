#include "ballast/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "ballast/error.hpp"

namespace ballast {

namespace {

[[noreturn]] void refuse(Errc code, std::string operation, std::string what, std::string expected, std::string got) {
  Diagnostic d;
  d.code = code;
  d.operation = std::move(operation);
  d.what = std::move(what);
  d.expected = std::move(expected);
  d.got = std::move(got);
  throw Error(std::move(d));
}

// Memory of its own for a tensor that must outlive the call that handed it in.
std::shared_ptr<const void> copy_bytes(Tensor& tensor) {
  const std::uint64_t nbytes = tensor.nbytes();
  std::shared_ptr<std::byte[]> copy(new std::byte[nbytes]);
  if (nbytes != 0) std::memcpy(copy.get(), tensor.data, nbytes);
  tensor.data = copy.get();
  return copy;
}

}  // namespace

Model::Model(std::shared_ptr<const ModelContext> context, ContainerMap map)
    : context_(std::move(context)), map_(std::move(map)), n_layers_(map_.n_layers()) {
  std::size_t layer = 0;
  for (const ContainerMap::Layers& group : map_.layer_groups())
    for (const ContainerSchema* schema : group.schemas)
      containers_.emplace_back(*schema, context_, fmt::format("transformer_layer_{}", layer++));
  if (map_.rest() != nullptr) containers_.emplace_back(*map_.rest(), context_, "non_transformer");
}

const LayerContainer& Model::layer(std::size_t index) const {
  if (index >= n_layers_)
    refuse(Errc::invalid_argument, "find layer", "there is no such layer", fmt::format("a layer below {}", n_layers_),
           std::to_string(index));
  return containers_[index];
}

const LayerContainer& Model::non_transformer() const {
  if (map_.rest() == nullptr)
    refuse(Errc::invalid_argument, "find container", "the model has no non-transformer container", {}, {});
  return containers_.back();
}

bool Model::set_tensor(std::string_view full_name, const Tensor& tensor, const std::shared_ptr<const void>& owner) {
  const ContainerMap::Route route = map_.route(full_name);
  switch (route.kind) {
    case ContainerMap::RouteKind::skip:
      return false;
    case ContainerMap::RouteKind::bad_layer: {
      Diagnostic d;
      d.code = Errc::layer_index_out_of_range;
      d.operation = "set tensor";
      d.tensor = full_name;
      d.what = "the tensor belongs to a layer that the model does not have";
      d.expected = fmt::format("a layer number below {}", n_layers_);
      d.got = route.index;
      throw Error(std::move(d));
    }
    case ContainerMap::RouteKind::layer:
      containers_[route.container].set_dependency(route.local, tensor, owner);
      return true;
    case ContainerMap::RouteKind::rest:
      break;
  }
  if (map_.rest() == nullptr) {
    Diagnostic d;
    d.code = Errc::name_unclaimed;
    d.operation = "set tensor";
    d.tensor = full_name;
    d.what = "nothing in the model takes this name";
    throw Error(std::move(d));
  }
  LayerContainer& rest = containers_.back();
  rest.set_dependency(route.local, tensor, owner);
  // A tensor that another one is tied to is kept until that one comes, or the end shows that it does not.
  if (is_tie_target(route.local)) {
    Kept kept{tensor, owner};
    if (kept.owner == nullptr) kept.owner = copy_bytes(kept.tensor);
    kept_for_ties_[std::string(route.local)] = std::move(kept);
  } else {
    std::erase_if(kept_for_ties_, [&](const auto& kept) { return !is_tie_target(kept.first); });
  }
  return true;
}

// Whether something that is still awaited is tied to this tensor.
bool Model::is_tie_target(std::string_view local) const {
  if (!context_->fills_absent_head()) return false;
  const std::vector<Awaited> awaited = containers_.back().awaited();
  const auto& rules = map_.rest()->rules();
  return std::any_of(rules.begin(), rules.end(), [&](const MappingRule& rule) {
    return std::find(rule.tied_to.begin(), rule.tied_to.end(), local) != rule.tied_to.end() &&
           std::any_of(awaited.begin(), awaited.end(),
                       [&](const Awaited& one) { return one.source == rule.sources.front(); });
  });
}

void Model::fill_ties() {
  if (map_.rest() == nullptr || !context_->fills_absent_head()) return;
  LayerContainer& rest = containers_.back();
  for (const Awaited& one : rest.awaited()) {
    const auto& rules = map_.rest()->rules();
    const auto rule =
        std::find_if(rules.begin(), rules.end(), [&](const MappingRule& r) { return r.sources.front() == one.source; });
    if (rule == rules.end()) continue;
    for (const std::string& tie : rule->tied_to) {
      const auto kept = kept_for_ties_.find(tie);
      if (kept == kept_for_ties_.end()) continue;
      rest.set_dependency(one.source, kept->second.tensor, kept->second.owner);
      break;
    }
  }
}

void Model::finish() {
  Diagnostics faults;
  const auto collect = [&](auto&& call) {
    try {
      call();
    } catch (const Error& error) {
      for (const Diagnostic& d : error.diagnostics()) faults.add(d);
    }
  };
  collect([&] { fill_ties(); });
  for (LayerContainer& container : containers_) collect([&] { container.finish(); });
  faults.throw_if_any();
  kept_for_ties_.clear();
}

bool Model::is_populated() const noexcept {
  return std::all_of(containers_.begin(), containers_.end(), [](const LayerContainer& c) { return c.is_populated(); });
}

bool Model::is_initialized(Device device) const {
  return std::all_of(containers_.begin(), containers_.end(),
                     [&](const LayerContainer& c) { return c.is_initialized(device); });
}

std::vector<std::string> LoadedModel::sources(std::size_t container, std::size_t parameter) const {
  std::vector<std::string> names;
  const BoundContainer& bound = binding_.containers.at(container);
  for (std::size_t d = 0; d < bound.schema->parameters().at(parameter).dependencies.size(); ++d)
    for (std::uint32_t e = bound.layout->begin(parameter, d); e < bound.layout->end(parameter, d); ++e)
      if (bound.sources[e] != kUnbound) names.push_back(catalog_->tensors[bound.sources[e]].name);
  return names;
}

}  // namespace ballast
