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

Json parameter_json(const Loaded& loaded, std::size_t container, std::size_t index) {
  const ParameterState& parameter = loaded.model.model().containers()[container].parameters()[index];
  Json json{{"name", parameter.name()}};
  const bool holds = parameter.is_finalised() && parameter.value().has_tensor();
  if (holds)
    add_tensor(json, parameter.value().tensor(), loaded.digests);
  else
    json["tensor"] = nullptr;
  json["sources"] = loaded.model.sources(container, index);
  json["aux"] = Json::object();
  if (holds)
    for (const auto& [name, tensor] : parameter.value().aux()) add_tensor(json["aux"][name], tensor, loaded.digests);
  return json;
}

}  // namespace

Json load_json(const Loaded& loaded) {
  const LoadedModel& model = loaded.model;
  const LoadReport& report = model.report();
  Json json{{"model_type", model.context().model_type},
            {"policy", report.policy},
            {"tp_rank", model.context().tp_rank},
            {"tp_size", model.context().tp_size}};
  json["properties"] = Json::object();
  for (const auto& [key, value] : model.context().properties) json["properties"][key] = value;
  json["containers"] = Json::array();
  for (std::size_t c = 0; c < model.model().containers().size(); ++c) {
    const LayerContainer& container = model.model().containers()[c];
    Json parameters = Json::array();
    for (std::size_t p = 0; p < container.n_params(); ++p) parameters.push_back(parameter_json(loaded, c, p));
    json["containers"].push_back({{"name", container.name()}, {"parameters", std::move(parameters)}});
  }
  json["skipped"] = Json::array();
  for (const SkippedTensor& skipped : report.skipped)
    json["skipped"].push_back(model.catalog().tensors[skipped.tensor].name);
  json["warnings"] = Json::array();
  for (const Diagnostic& warning : report.warnings) json["warnings"].push_back(to_json(warning));
  json["bytes_needed"] = model.plan().bytes_needed;
  json["bytes_read"] = report.execute.bytes_read;
  json["bytes_loaded"] = report.bytes_loaded;
  json["arena_bytes"] = model.arena().size();
  json["seconds"] = to_json(report.seconds);
  json["peak_rss"] = loaded.peak_bytes;
  return json;
}

}  // namespace ballast::cli
