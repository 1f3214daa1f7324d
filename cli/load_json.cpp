#include "load.hpp"

namespace ballast::cli {

namespace {

void add_tensor(Json& json, const Tensor& tensor, const Digests& digests) {
  json["dtype"] = torch_name(tensor.dtype);
  json["shape"] = to_json(tensor.shape);
  json["strides"] = to_json(tensor.strides);
  json["device"] = to_string(tensor.device);
  json["nbytes"] = tensor.nbytes();
  if (const auto digest = digests.find(&tensor); digest != digests.end()) json["digest"] = digest->second;
}

Json parameter_json(const LoadedModel& model, const Digests& digests, std::size_t container, std::size_t index) {
  const ParameterState& parameter = model.model().containers()[container].parameters()[index];
  Json json{{"name", parameter.name()}};
  const bool holds = parameter.is_finalised() && parameter.value().has_tensor();
  if (holds)
    add_tensor(json, parameter.value().tensor(), digests);
  else
    json["tensor"] = nullptr;
  json["sources"] = model.sources(container, index);
  json["aux"] = Json::object();
  if (holds)
    for (const auto& [name, tensor] : parameter.value().aux()) add_tensor(json["aux"][name], tensor, digests);
  return json;
}

Json rank_json(const LoadedModel& model, const Digests& digests) {
  Json json{{"model_type", model.context().model_type},
            {"policy", model.report().policy},
            {"tp_rank", model.context().tp_rank},
            {"tp_size", model.context().tp_size}};
  json["properties"] = Json::object();
  for (const auto& [key, value] : model.context().properties) json["properties"][key] = value;
  json["containers"] = Json::array();
  for (std::size_t c = 0; c < model.model().containers().size(); ++c) {
    const LayerContainer& container = model.model().containers()[c];
    Json parameters = Json::array();
    for (std::size_t p = 0; p < container.n_params(); ++p) parameters.push_back(parameter_json(model, digests, c, p));
    json["containers"].push_back({{"name", container.name()}, {"parameters", std::move(parameters)}});
  }
  json["skipped"] = Json::array();
  for (const SkippedTensor& skipped : model.report().skipped)
    json["skipped"].push_back(model.catalog().tensors[skipped.tensor].name);
  json["warnings"] = Json::array();
  for (const Diagnostic& warning : model.report().warnings) json["warnings"].push_back(to_json(warning));
  json["bytes_needed"] = model.plan().bytes_needed;
  json["bytes_loaded"] = model.report().bytes_loaded;
  json["arena_bytes"] = model.arena().size();
  return json;
}

// What is of the whole pass over the files.
void add_pass(Json& json, const Loaded& loaded) {
  const LoadReport& report = loaded.ranks.front().report();
  json["bytes_read"] = report.execute.bytes_read;
  json["seconds"] = to_json(report.seconds);
  json["peak_rss"] = loaded.peak_bytes;
}

Json all_ranks_json(const Loaded& loaded) {
  const LoadedModel& first = loaded.ranks.front();
  Json json{{"model_type", first.context().model_type},
            {"policy", first.report().policy},
            {"tp_rank", "all"},
            {"tp_size", first.context().tp_size}};
  json["ranks"] = Json::array();
  std::uint64_t bytes_loaded = 0, arena_bytes = 0;
  for (const LoadedModel& model : loaded.ranks) {
    json["ranks"].push_back(rank_json(model, loaded.digests));
    bytes_loaded += model.report().bytes_loaded;
    arena_bytes += model.arena().size();
  }
  json["bytes_needed"] = first.report().bytes_needed;
  json["bytes_loaded"] = bytes_loaded;
  json["arena_bytes"] = arena_bytes;
  return json;
}

}  // namespace

Json load_json(const Loaded& loaded, bool all_ranks) {
  Json json = all_ranks ? all_ranks_json(loaded) : rank_json(loaded.ranks.front(), loaded.digests);
  add_pass(json, loaded);
  return json;
}

}  // namespace ballast::cli
