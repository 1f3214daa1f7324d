// Catalogs of a few tensors, containers of a few parameters, and what planning makes of them.
//
//   SmallModel model;
//   model.add("w.params", DType::F32, {4, 6});
//   model.rest({made(weight("w"), as_stored)});
//   const Plan plan = model.plan();
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ballast/binding.hpp"
#include "ballast/plan.hpp"
#include "mapping/schemas.hpp"

namespace ballast::test {

using Finalize = std::function<Recipe(const ModelContext&, const Operands&)>;

[[nodiscard]] inline ParameterSchema made(ParameterSchema parameter, Finalize finalize) {
  parameter.finalize = std::move(finalize);
  return parameter;
}
[[nodiscard]] inline Recipe as_stored(const ModelContext&, const Operands& operands) { return operands[0][0]; }
// A parameter of one tensor that is kept as it is.
[[nodiscard]] inline ParameterSchema kept(std::string name) { return made(weight(std::move(name)), as_stored); }

class SmallModel {
 public:
  SmallModel() { next_file(); }

  // The next tensor of the file. Returns its index in the catalog.
  std::uint32_t add(std::string name, DType dtype, const Shape& shape);
  // Leaves bytes of the file out.
  void skip(std::uint64_t bytes) { offset_ += bytes; }
  void next_file();

  // The parameters outside of layers; parameter p's dependency d is the tensor "p.d" ("p.d.0", ... where it is a list),
  // unless rules are given.
  void rest(Parameters parameters);
  void rest(Parameters parameters, std::vector<MappingRule> rules);
  // The same for layers "layers.0", ...
  void layers(std::uint64_t count, Parameters parameters);

  [[nodiscard]] const Catalog& catalog() const { return catalog_; }
  [[nodiscard]] Plan plan() const { return make_plan(catalog_, bind(catalog_, map_, context), context); }
  // Binds what there is, whatever is missing.
  [[nodiscard]] Binding bound() const {
    Diagnostics ignored;
    return bind(catalog_, map_, context, ignored);
  }

  ModelContext context;

 private:
  Catalog catalog_;
  ContainerMap map_;
  std::deque<ContainerSchema> schemas_;  // stay where they are
  std::uint64_t offset_ = 0;
};

// Where tensor t of the plan comes from: the copies that fill it.
[[nodiscard]] std::vector<Copy> copies_into(const Plan& plan, std::uint32_t tensor);

}  // namespace ballast::test
