#include "names.hpp"
#include "plan.hpp"

namespace ballast::cli {

namespace {

Json tensor_json(const PreparedLoad& prepared, const PlannedTensor& tensor) {
  Json json{{"container", prepared.binding.containers[tensor.container].name},
            {"parameter", parameter_name(prepared.binding, tensor)}};
  if (!tensor.aux.empty()) json["aux"] = tensor.aux;
  json["dtype"] = torch_name(tensor.spec.dtype);
  json["shape"] = to_json(tensor.spec.shape);
  json["arena_offset"] = tensor.arena_offset;
  json["nbytes"] = tensor.nbytes;
  if (tensor.alias_of != kNoIndex)
    json["alias_of"] = full_name(prepared.binding, prepared.plan.tensors[tensor.alias_of]);
  json["sources"] = source_names(*prepared.catalog, prepared.binding, tensor.container, tensor.parameter);
  return json;
}

Json copy_json(const PreparedLoad& prepared, const Copy& copy) {
  Json json{{"file", copy.file}, {"begin", copy.file_begin()}, {"end", copy.file_end()}};
  json["elements"] = copy.elements();
  json["from"] = torch_name(copy.from);
  json["to"] = torch_name(copy.to);
  json["source"] = prepared.catalog->tensors[copy.source].name;
  json["target"] = target_name(prepared, copy);
  json["target_element"] = copy.dst_begin;
  return json;
}

}  // namespace

Json plan_json(const PreparedLoad& prepared, bool all) {
  const Plan& plan = prepared.plan;
  const PlanTotals totals = totals_of(plan);
  Json json{{"path", prepared.catalog->path},       {"model_type", prepared.context->model_type},
            {"policy", prepared.policy->name()},    {"tp_rank", prepared.context->tp_rank},
            {"tp_size", prepared.context->tp_size}, {"arena_bytes", plan.arena_bytes},
            {"scratch_bytes", plan.scratch_bytes},  {"bytes_needed", plan.bytes_needed},
            {"bytes_placed", plan.bytes_placed},    {"bytes_direct", totals.bytes_direct},
            {"bytes_staged", totals.bytes_staged},  {"n_copies", totals.copies},
            {"n_conversions", totals.conversions},  {"n_read_groups", plan.groups.size()},
            {"n_custom_steps", plan.steps.size()}};
  json["tensors"] = Json::array();
  for (const PlannedTensor& tensor : plan.tensors) json["tensors"].push_back(tensor_json(prepared, tensor));
  json["skipped"] = Json::array();
  for (const SkippedTensor& skipped : prepared.binding.skipped)
    json["skipped"].push_back(prepared.catalog->tensors[skipped.tensor].name);
  if (!all) return json;
  json["files"] = Json::array();
  for (const CatalogFile& file : prepared.catalog->files) json["files"].push_back(file.path);
  json["copies"] = Json::array();
  for (const Copy& copy : plan.copies) json["copies"].push_back(copy_json(prepared, copy));
  return json;
}

}  // namespace ballast::cli
