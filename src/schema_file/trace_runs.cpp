#include "schema_file/trace_runs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formula/model_scope.hpp"

namespace ballast::schema_file {

namespace {

constexpr std::size_t kMostExtents = 2000;
constexpr std::array<DType, kModels> kDTypes{DType::BF16, DType::F16, DType::F32};

// Where it is not told apart, it differs between the models.
std::size_t tensor_rank(const Case& one, std::size_t model) {
  return one.tensor_rank != 0 ? one.tensor_rank : 4 + model / 2;
}

std::uint64_t number(std::size_t index, std::size_t model, Numbers numbers) {
  if (numbers == Numbers::all_one) return 1;
  return made_up(numbers == Numbers::all_alike ? 0 : index, model);
}

std::string symbol_of(const DependencySchema& dependency) {
  return dependency.kind == DependencyKind::list ? fmt::format("element({}, 0)", dependency.name) : dependency.name;
}

}  // namespace

TraceRuns::TraceRuns(const ParameterSchema& parameter, std::uint32_t form, const ContextNames& names)
    : parameter_(parameter) {
  for (const formula::UsualNumber& one : formula::usual_numbers()) numbers_.emplace_back(one.name);
  numbers_.emplace_back(formula::kTpRank);
  numbers_.emplace_back(formula::kTpSize);
  // Others than those of `extra` have their place.
  for (const std::string& one : names.numbers)
    if (!formula::value_of(ModelContext(), one)) numbers_.push_back(one);
  for (const std::string& one : names.conditions)
    if (!formula::value_of(ModelContext(), one)) conditions_.push_back(one);
  for (std::size_t d = 0; d < parameter.dependencies.size(); ++d)
    if (parameter.dependencies[d].form == form) mine_.push_back(d);
  for (const std::size_t d : mine_) {
    const DependencySchema& dependency = parameter.dependencies[d];
    if (dependency.kind == DependencyKind::optional) optionals_.push_back(d);
    if (dependency.kind == DependencyKind::list && !length_index_.contains(dependency.length_name))
      length_index_.emplace(dependency.length_name, length_index_.size());
  }
}

bool TraceRuns::is_there(const Case& one, std::size_t dependency) const {
  const auto optional = std::find(optionals_.begin(), optionals_.end(), dependency);
  return optional == optionals_.end() || one.present[static_cast<std::size_t>(optional - optionals_.begin())];
}

bool TraceRuns::holds_nothing(const Case& one) const {
  return !mine_.empty() && std::none_of(mine_.begin(), mine_.end(), [&](std::size_t d) {
    return parameter_.dependencies[d].kind != DependencyKind::optional || is_there(one, d);
  });
}

std::string TraceRuns::first_symbol(const Case& one) const {
  for (const std::size_t d : mine_)
    if (is_there(one, d)) return symbol_of(parameter_.dependencies[d]);
  return {};
}

std::size_t TraceRuns::length(const DependencySchema& list, std::size_t model) const {
  // Long enough that no recipe names each element.
  return 5 + kModels * length_index_.at(list.length_name) + model;
}

ModelContext TraceRuns::context(const Case& one, std::size_t model, Numbers numbers) const {
  ModelContext m;
  std::size_t index = 0;
  for (const formula::UsualNumber& usual : formula::usual_numbers()) m.*usual.context = number(index++, model, numbers);
  // Query heads share key and value heads.
  if (numbers == Numbers::made_up) m.n_heads *= m.n_heads_kv;
  m.tp_rank = one.one_rank || one.rank_is_0 ? 0 : made_up(index, model);
  m.tp_size = one.one_rank ? 1 : made_up(index + 1, model);
  index += 2;
  for (; index < numbers_.size(); ++index) m.extra[numbers_[index]] = number(index, model, numbers);
  for (std::size_t i = 0; i < conditions_.size(); ++i) m.extra[conditions_[i]] = one.holds[i] ? 1 : 0;
  m.from_gguf = one.from_gguf;
  m.gated_layout = one.gated_interleaved ? GatedLayout::interleaved : GatedLayout::concatenated;
  if (model != 0) m.dtype = model == 1 ? DType::F32 : DType::BF16;
  return m;
}

std::shared_ptr<recipe::Extents> TraceRuns::extents(std::size_t model) const {
  return std::make_shared<recipe::Extents>(
      [first = numbers_.size(), model](std::size_t i) { return i < kMostExtents ? made_up(first + i, model) : 0; });
}

Term TraceRuns::run(const Case& one, std::size_t model, Numbers numbers, const Finalize& finalize,
                    const std::shared_ptr<recipe::Extents>& all_extents) const {
  std::vector<std::vector<Recipe>> operands(parameter_.dependencies.size());
  std::map<std::string, std::size_t> lengths;
  for (const std::size_t d : mine_) {
    const DependencySchema& dependency = parameter_.dependencies[d];
    const auto symbol = [&](std::optional<std::uint32_t> element) {
      return recipe::symbol(dependency.name, element, kDTypes[model], tensor_rank(one, model), all_extents);
    };
    if (dependency.kind != DependencyKind::list) {
      if (is_there(one, d)) operands[d].push_back(symbol(std::nullopt));
      continue;
    }
    lengths.emplace(dependency.name, length(dependency, model));
    for (std::uint32_t i = 0; i < length(dependency, model); ++i) operands[d].push_back(symbol(i));
  }
  std::vector<std::span<const Recipe>> spans(operands.begin(), operands.end());
  return term_of(finalize(context(one, model, numbers), Operands(spans)), lengths);
}

void TraceRuns::add_numbers(const Case& one, NumberFinder& finder) const {
  std::array<ModelContext, kModels> models;
  for (std::size_t m = 0; m < kModels; ++m) models[m] = context(one, m, Numbers::made_up);
  for (const std::string& name : numbers_) {
    // These are constants then.
    if (name == formula::kTpRank && (one.one_rank || one.rank_is_0)) continue;
    if (name == formula::kTpSize && one.one_rank) continue;
    Values values{};
    for (std::size_t m = 0; m < kModels; ++m) values[m] = std::get<std::uint64_t>(*formula::value_of(models[m], name));
    finder.add(name, values);
  }
}

std::string TraceRuns::print(const Case& one, const std::array<Term, kModels>& terms) const {
  NumberFinder finder;
  add_numbers(one, finder);
  std::string dtype_of;
  for (const std::size_t d : mine_) add_dependency(one, d, finder, dtype_of);
  std::array<const Term*, kModels> all{};
  for (std::size_t m = 0; m < kModels; ++m) all[m] = &terms[m];
  return TermPrinter(std::move(finder), dtype_of, kDTypes).print(all);
}

// Extents, ranks and lengths of a dependency, under the names that formulas have for them.
void TraceRuns::add_dependency(const Case& one, std::size_t d, NumberFinder& finder, std::string& dtype_of) const {
  if (!is_there(one, d)) return;
  const DependencySchema& dependency = parameter_.dependencies[d];
  const bool list = dependency.kind == DependencyKind::list;
  const std::string symbol = symbol_of(dependency);
  if (dtype_of.empty()) dtype_of = fmt::format("dtype({})", symbol);
  std::array<std::vector<std::uint64_t>, kModels> shapes;
  Values ranks{}, lengths{};
  for (std::size_t m = 0; m < kModels; ++m) {
    shapes[m] = shape_of(one, d, m);
    ranks[m] = shapes[m].size();
    if (list) lengths[m] = length(dependency, m);
  }
  for (std::size_t axis = 0; axis < shapes[0].size(); ++axis)
    finder.add(fmt::format("extent({}, {})", symbol, axis), {shapes[0][axis], shapes[1][axis], shapes[2][axis]});
  if (ranks[0] != ranks[2]) finder.add(fmt::format("rank({})", symbol), ranks);
  if (list) finder.add(fmt::format("length({})", dependency.name), lengths);
}

// The made-up extents that `run` hands to a dependency.
std::vector<std::uint64_t> TraceRuns::shape_of(const Case& one, std::size_t dependency, std::size_t model) const {
  std::size_t before = 0;
  for (const std::size_t d : mine_) {
    if (d == dependency) break;
    if (parameter_.dependencies[d].kind == DependencyKind::list || is_there(one, d)) ++before;
  }
  const std::size_t rank = tensor_rank(one, model);
  std::vector<std::uint64_t> shape;
  for (std::size_t axis = 0; axis < rank; ++axis)
    shape.push_back(made_up(numbers_.size() + before * rank + axis, model));
  return shape;
}

}  // namespace ballast::schema_file
