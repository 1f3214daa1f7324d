// The fixture checkpoints, and what loading them must give (fixtures/README.md).
#pragma once

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ballast/digest.hpp"
#include "ballast/load.hpp"

namespace ballast::test {

struct ExpectedTensor {
  std::string dtype;
  Shape shape;
  std::string digest;
  friend bool operator==(const ExpectedTensor&, const ExpectedTensor&) = default;
};
// By "container.parameter"; nothing where the rank holds nothing.
using Tensors = std::map<std::string, std::optional<ExpectedTensor>>;

struct Case {
  std::uint64_t tp_size = 1;
  std::uint64_t tp_rank = 0;
  std::string dtype;  // "auto", "f32", ...
  Tensors tensors;

  [[nodiscard]] LoadOptions options() const {
    LoadOptions options;
    options.tp_size = tp_size;
    options.tp_rank = tp_rank;
    if (dtype != "auto") options.dtype = dtype_from_text(dtype);
    return options;
  }
  [[nodiscard]] std::string name() const { return fmt::format("{} of {} as {}", tp_rank, tp_size, dtype); }
};

struct Expected {
  std::string model_type;
  std::vector<Case> cases;
};

[[nodiscard]] inline std::string checkpoint_path(const std::string& name) {
  return fmt::format("{}/checkpoints/{}", BALLAST_FIXTURES, name);
}

[[nodiscard]] inline std::vector<std::string> checkpoint_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(BALLAST_FIXTURES "/checkpoints"))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

[[nodiscard]] inline std::string text_of(simdjson::dom::element json) { return std::string(json.get_string().value()); }

[[nodiscard]] inline Case read_case(simdjson::dom::element json) {
  Case one;
  one.tp_size = json["tp_size"].get_uint64().value();
  one.tp_rank = json["tp_rank"].get_uint64().value();
  one.dtype = text_of(json["dtype"]);
  for (const auto& [key, value] : json["parameters"].get_object()) {
    std::optional<ExpectedTensor>& tensor = one.tensors[std::string(key)];
    if (value.is_null()) continue;
    tensor.emplace();
    tensor->dtype = text_of(value["dtype"]);
    for (const simdjson::dom::element extent : value["shape"].get_array()) tensor->shape.push_back(extent.get_uint64());
    tensor->digest = text_of(value["digest"]);
  }
  return one;
}

// Of a checkpoint by name.
[[nodiscard]] inline Expected read_expected(const std::string& name) {
  simdjson::dom::parser parser;
  const simdjson::dom::element json = parser.load(fmt::format("{}/expected/{}.json", BALLAST_FIXTURES, name));
  Expected expected;
  expected.model_type = text_of(json["model_type"]);
  for (const char* key : {"cases", "cases_uneven_group"})
    if (simdjson::dom::array cases; json[key].get(cases) == simdjson::SUCCESS)
      for (const simdjson::dom::element one : cases) expected.cases.push_back(read_case(one));
  return expected;
}

// What a model holds, as the fixtures describe it.
[[nodiscard]] inline Tensors tensors_of(const Model& model) {
  Tensors all;
  for (const LayerContainer& container : model.containers())
    for (const ParameterState& parameter : container.parameters()) {
      std::optional<ExpectedTensor>& one = all[fmt::format("{}.{}", container.name(), parameter.name())];
      if (!parameter.value().has_tensor()) continue;
      const Tensor& tensor = parameter.tensor();
      one = ExpectedTensor{std::string(torch_name(tensor.dtype)), tensor.shape, digest(tensor)};
    }
  return all;
}

// Where two differ, a line each; empty where they agree.
[[nodiscard]] inline std::string differences(const Tensors& got, const Tensors& wanted) {
  const auto text = [](const Tensors& all, const std::string& name) -> std::string {
    const auto found = all.find(name);
    if (found == all.end()) return "missing";
    if (!found->second) return "nothing";
    return fmt::format("{} {} {}", found->second->dtype, to_string(found->second->shape), found->second->digest);
  };
  std::string lines;
  Tensors names = got;
  names.insert(wanted.begin(), wanted.end());
  // A parameter that a model does not have may be left out of what is expected.
  const auto is_left_out = [&](const std::string& name) {
    return !wanted.contains(name) && got.contains(name) && !got.at(name);
  };
  for (const auto& [name, ignored] : names)
    if (text(got, name) != text(wanted, name) && !is_left_out(name))
      lines += fmt::format("{}: got {}, wanted {}\n", name, text(got, name), text(wanted, name));
  return lines;
}

}  // namespace ballast::test
