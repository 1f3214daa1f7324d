#include "plan/small_model.hpp"

namespace ballast::test {

namespace {

std::vector<MappingRule> rules_by_name(const Parameters& parameters) {
  std::vector<MappingRule> rules;
  for (const ParameterSchema& parameter : parameters)
    for (const DependencySchema& dependency : parameter.dependencies) {
      std::string source = parameter.name + "." + dependency.name;
      if (dependency.kind == DependencyKind::list) source += ".*";
      rules.push_back({{std::move(source)}, {{parameter.name, dependency.name}}, {}});
    }
  return rules;
}

}  // namespace

std::uint32_t SmallModel::add(std::string name, DType dtype, const Shape& shape) {
  TensorInfo tensor;
  tensor.name = std::move(name);
  tensor.dtype = dtype;
  tensor.shape = shape;
  tensor.file = static_cast<std::uint32_t>(catalog_.files.size() - 1);
  tensor.offset = offset_;
  tensor.nbytes = byte_size(dtype, shape.numel()).value();
  offset_ += tensor.nbytes;
  catalog_.files.back().file_bytes = offset_;
  catalog_.tensors.push_back(std::move(tensor));
  return static_cast<std::uint32_t>(catalog_.tensors.size() - 1);
}

void SmallModel::next_file() {
  CatalogFile file;
  file.path = "model-" + std::to_string(catalog_.files.size()) + ".safetensors";
  catalog_.files.push_back(std::move(file));
  offset_ = 8;
}

void SmallModel::rest(Parameters parameters) {
  auto rules = rules_by_name(parameters);
  rest(std::move(parameters), std::move(rules));
}

void SmallModel::rest(Parameters parameters, std::vector<MappingRule> rules) {
  map_.non_transformer(schemas_.emplace_back("rest", std::move(parameters), std::move(rules)));
}

void SmallModel::layers(std::uint64_t count, Parameters parameters) {
  auto rules = rules_by_name(parameters);
  map_.layers({"layers"}, schemas_.emplace_back("layer", std::move(parameters), std::move(rules)), count);
}

std::vector<Copy> copies_into(const Plan& plan, std::uint32_t tensor) {
  std::vector<Copy> copies;
  for (const Copy& copy : plan.copies)
    if (!copy.to_scratch && copy.target == tensor) copies.push_back(copy);
  return copies;
}

}  // namespace ballast::test
