#include "schema_file/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <set>

#include "ballast/error.hpp"
#include "formula/check.hpp"
#include "formula/model_scope.hpp"
#include "recipe/traced.hpp"
#include "schema_file/forms.hpp"
#include "schema_file/recipe_formula.hpp"
#include "schema_file/trace_terms.hpp"

namespace ballast::schema_file {

namespace {

constexpr std::size_t kMostOptionals = 8;
constexpr std::size_t kMostExtents = 2000;

// What a finalize may tell apart. What is not set here is different in every made-up model.
struct Case {
  bool from_gguf = false;
  bool gated_interleaved = false;
  std::vector<bool> present;  // of each optional dependency
  std::vector<bool> holds;    // of each condition of the context
  bool rank_is_0 = false;
  bool one_rank = false;
  std::size_t tensor_rank = 0;  // 0: three or more
};

// Probes show a branch on a number, which no formula that is traced can have: one number in place of all, and 1.
enum class Numbers : std::uint8_t { made_up, all_alike, all_one };

struct Run {
  Term term;
  std::size_t tensor_rank = 0;
};

struct Branch {
  std::optional<std::string> formula;  // nothing: cannot occur
  std::vector<Case> cases;
};

class Tracer {
 public:
  Tracer(const ParameterSchema& parameter, std::uint32_t form, const ContextNames& names)
      : parameter_(parameter), form_(form) {
    for (const formula::UsualNumber& one : formula::usual_numbers()) numbers_.emplace_back(one.name);
    numbers_.emplace_back(formula::kTpRank);
    numbers_.emplace_back(formula::kTpSize);
    for (const std::string& one : names.numbers)
      if (!formula::value_of(ModelContext(), one)) numbers_.push_back(one);  // those of `extra`
    for (const std::string& one : names.conditions)
      if (!formula::value_of(ModelContext(), one)) conditions_.push_back(one);
    for (std::size_t d = 0; d < parameter.dependencies.size(); ++d)
      if (form_of(parameter.dependencies[d]) == form) mine_.push_back(d);
    for (const std::size_t d : mine_) {
      const DependencySchema& dependency = parameter.dependencies[d];
      if (dependency.kind == DependencyKind::optional) optionals_.push_back(d);
      if (dependency.kind == DependencyKind::list && !length_index_.contains(dependency.length_name))
        length_index_.emplace(dependency.length_name, length_index_.size());
    }
    if (optionals_.size() > kMostOptionals)
      refuse(fmt::format("it has more than {} optional dependencies", kMostOptionals), "");
  }

  std::string trace() {
    Case start;
    start.present.assign(optionals_.size(), true);
    start.holds.assign(conditions_.size(), true);
    const Branch all = by_condition(start, 0);
    if (!all.formula) std::rethrow_exception(failure_);
    for (const Case& one : all.cases)
      if (!reproduces(*all.formula, one))
        refuse("its recipe depends on more than a formula can say", "a branch on a number, a shape or a dtype");
    return *all.formula;
  }

 private:
  [[noreturn]] void refuse(std::string what, std::string cause) const {
    throw Error(Diagnostic{.code = Errc::invalid_argument,
                           .what = std::move(what),
                           .operation = "write formula",
                           .parameter = parameter_.name,
                           .cause = std::move(cause)});
  }

  // ---- the cases, outermost first

  Branch by_condition(const Case& one, std::size_t condition) {
    if (condition == conditions_.size()) return by_gguf(one);
    if (!matters(one, condition)) return by_condition(one, condition + 1);
    return fork(
        conditions_[condition], one, [condition](Case& c, bool is) { c.holds[condition] = is; },
        [this, condition](const Case& c) { return by_condition(c, condition + 1); });
  }
  // Most parameters ask for none of the conditions, and cases double with each.
  bool matters(Case one, std::size_t condition) const {
    for (const bool from_gguf : {false, true}) {
      one.from_gguf = from_gguf;
      std::array<std::optional<Term>, 2> terms;
      for (const bool holds : {false, true}) {
        one.holds[condition] = holds;
        try {
          terms[holds ? 1 : 0] = run(one, 0, Numbers::made_up, parameter_.finalize);
        } catch (const std::exception&) {
          // Impossible in this case; perhaps not in the other.
        }
      }
      if (!(terms[0] == terms[1])) return true;
    }
    return false;
  }
  Branch by_gguf(const Case& one) {
    return fork(
        "from_gguf", one, [](Case& c, bool is) { c.from_gguf = is; },
        [this](const Case& c) { return by_presence(c, 0); });
  }
  Branch by_presence(const Case& one, std::size_t optional) {
    if (optional == optionals_.size()) return by_layout(one);
    return fork(
        fmt::format("present({})", parameter_.dependencies[optionals_[optional]].name), one,
        [optional](Case& c, bool is) { c.present[optional] = is; },
        [this, optional](const Case& c) { return by_presence(c, optional + 1); });
  }
  Branch by_layout(const Case& one) {
    return fork(
        std::string(formula::kGatedInterleaved), one, [](Case& c, bool is) { c.gated_interleaved = is; },
        [this](const Case& c) { return by_one_rank(c); });
  }
  Branch by_one_rank(const Case& one) {
    return fork(
        "tp_size == 1", one, [](Case& c, bool is) { c.one_rank = is; }, [this](const Case& c) { return by_rank_0(c); });
  }
  Branch by_rank_0(const Case& one) {
    return fork(
        "tp_rank == 0", one, [](Case& c, bool is) { c.rank_is_0 = is; },
        [this](const Case& c) { return by_tensor_rank(c, 1); });
  }
  Branch by_tensor_rank(const Case& one, std::size_t rank) {
    const std::string symbol = first_symbol(one);
    if (rank == 3 || symbol.empty()) return leaf(one);
    return fork(
        fmt::format("rank({}) == {}", symbol, rank), one, [rank](Case& c, bool is) { c.tensor_rank = is ? rank : 0; },
        [this, rank](const Case& c) { return c.tensor_rank == rank ? leaf(c) : by_tensor_rank(c, rank + 1); });
  }

  template <class Set, class Next>
  Branch fork(const std::string& condition, Case one, Set set, Next next) {
    // The more general one first: its formula may do for the other.
    set(one, false);
    Branch no = next(one);
    set(one, true);
    Branch yes = next(one);
    Branch both;
    if (!yes.formula || !no.formula) {
      both.formula = yes.formula ? yes.formula : no.formula;
    } else if (reproduces_all(*no.formula, yes)) {
      both.formula = no.formula;
    } else if (reproduces_all(*yes.formula, no)) {
      both.formula = yes.formula;
    } else {
      both.formula = fmt::format("{} ? {} : {}", condition, *yes.formula, *no.formula);
    }
    both.cases = std::move(yes.cases);
    both.cases.insert(both.cases.end(), no.cases.begin(), no.cases.end());
    return both;
  }

  bool reproduces_all(const std::string& formula, const Branch& branch) {
    if (branch.formula == formula) return true;
    return std::all_of(branch.cases.begin(), branch.cases.end(),
                       [&](const Case& one) { return reproduces(formula, one); });
  }

  // ---- one case

  // A formula for `rank` to ask: any dependency that is there has the rank of all.
  [[nodiscard]] std::string first_symbol(const Case& one) const {
    for (const std::size_t d : mine_) {
      const DependencySchema& dependency = parameter_.dependencies[d];
      if (dependency.kind == DependencyKind::list) return fmt::format("element({}, 0)", dependency.name);
      if (is_there(one, d)) return dependency.name;
    }
    return {};
  }

  [[nodiscard]] bool is_there(const Case& one, std::size_t d) const {
    const auto optional = std::find(optionals_.begin(), optionals_.end(), d);
    return optional == optionals_.end() || one.present[static_cast<std::size_t>(optional - optionals_.begin())];
  }

  // Nothing is made of a parameter none of whose optional dependencies is there.
  [[nodiscard]] bool holds_nothing(const Case& one) const {
    return !mine_.empty() && std::none_of(mine_.begin(), mine_.end(), [&](std::size_t d) {
      return parameter_.dependencies[d].kind != DependencyKind::optional || is_there(one, d);
    });
  }

  [[nodiscard]] std::size_t length(const DependencySchema& list, std::size_t model) const {
    // Long enough that no recipe names each element.
    return 5 + kModels * length_index_.at(list.length_name) + model;
  }
  [[nodiscard]] static std::size_t tensor_rank(const Case& one, std::size_t model) {
    return one.tensor_rank != 0 ? one.tensor_rank : 3 + model / 2;
  }
  static constexpr std::array<DType, kModels> kDTypes{DType::BF16, DType::F16, DType::F32};

  [[nodiscard]] std::uint64_t number(std::size_t index, std::size_t model, Numbers numbers) const {
    if (numbers == Numbers::all_one) return 1;
    return made_up(numbers == Numbers::all_alike ? 0 : index, model);
  }

  ModelContext context(const Case& one, std::size_t model, Numbers numbers) const {
    ModelContext m;
    std::size_t index = 0;
    for (const formula::UsualNumber& usual : formula::usual_numbers())
      m.*usual.context = number(index++, model, numbers);
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

  [[nodiscard]] std::shared_ptr<recipe::Extents> extents(std::size_t model) const {
    return std::make_shared<recipe::Extents>(
        [first = numbers_.size(), model](std::size_t i) { return i < kMostExtents ? made_up(first + i, model) : 0; });
  }

  template <class Finalize>
  Term run(const Case& one, std::size_t model, Numbers numbers, const Finalize& finalize) const {
    return run(one, model, numbers, finalize, extents(model));
  }
  template <class Finalize>
  Term run(const Case& one, std::size_t model, Numbers numbers, const Finalize& finalize,
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

  Branch leaf(const Case& one) {
    Branch branch;
    if (holds_nothing(one) || (one.one_rank && !one.rank_is_0)) return branch;
    std::array<Term, kModels> terms;
    try {
      for (std::size_t m = 0; m < kModels; ++m) terms[m] = run(one, m, Numbers::made_up, parameter_.finalize);
    } catch (...) {
      // This cannot occur: a tensor of such a rank, or without one that is needed.
      if (!failure_) failure_ = std::current_exception();
      return branch;
    }
    check_structure(one, terms);
    branch.cases.push_back(one);
    for (const std::string& known : found_)
      if (reproduces(known, one)) {
        branch.formula = known;
        return branch;
      }
    branch.formula = print(one, terms);
    found_.push_back(*branch.formula);
    return branch;
  }

  void check_structure(const Case& one, const std::array<Term, kModels>& terms) const {
    for (std::size_t m = 1; m < kModels; ++m)
      if (!same_structure(terms[0], terms[m]))
        refuse("its recipe differs with the numbers of the model or the rank of its dependencies",
               "a choice by a number belongs into the container map");
    for (const Numbers probe : {Numbers::all_alike, Numbers::all_one}) {
      bool same = true;
      try {
        same = same_structure(terms[0], run(one, 0, probe, parameter_.finalize));
      } catch (const std::exception&) {
        // It checks its numbers, which is as good as a formula's own checks.
      }
      if (!same)
        refuse("its recipe branches on a number of the model", "a choice by a number belongs into the container map");
    }
  }

  std::string print(const Case& one, const std::array<Term, kModels>& terms) const {
    NumberFinder finder;
    std::array<ModelContext, kModels> models;
    for (std::size_t m = 0; m < kModels; ++m) models[m] = context(one, m, Numbers::made_up);
    for (const std::string& name : numbers_) {
      Values values{};
      for (std::size_t m = 0; m < kModels; ++m)
        values[m] = std::get<std::uint64_t>(*formula::value_of(models[m], name));
      if (!(one.one_rank || one.rank_is_0) || (name != formula::kTpRank && (name != formula::kTpSize || !one.one_rank)))
        finder.add(name, values);
    }
    std::string dtype_of;
    for (const std::size_t d : mine_) add_dependency(one, d, finder, dtype_of);
    std::array<const Term*, kModels> all{};
    for (std::size_t m = 0; m < kModels; ++m) all[m] = &terms[m];
    return TermPrinter(std::move(finder), dtype_of, kDTypes).print(all);
  }

  // Extents, ranks and lengths of a dependency, under the names that formulas have for them.
  void add_dependency(const Case& one, std::size_t d, NumberFinder& finder, std::string& dtype_of) const {
    if (!is_there(one, d)) return;
    const DependencySchema& dependency = parameter_.dependencies[d];
    const bool list = dependency.kind == DependencyKind::list;
    const std::string symbol = list ? fmt::format("element({}, 0)", dependency.name) : dependency.name;
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
  [[nodiscard]] std::vector<std::uint64_t> shape_of(const Case& one, std::size_t dependency, std::size_t model) const {
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

  // Whether a formula makes of a case what the C++ code makes of it.
  bool reproduces(const std::string& text, const Case& one) {
    auto known = compiled_.find(text);
    if (known == compiled_.end()) {
      std::vector<formula::Fault> faults;
      std::optional<formula::Tree> tree = formula::parse(text, faults);
      if (!tree) return false;
      known = compiled_.emplace(text, finalize_by(parameter_.dependencies, {{form_, std::move(*tree)}})).first;
    }
    try {
      for (std::size_t m = 0; m < kModels; ++m) {
        const std::shared_ptr<recipe::Extents> same = extents(m);
        const Term compiled = run(one, m, Numbers::made_up, parameter_.finalize, same);
        if (!(run(one, m, Numbers::made_up, known->second, same) == compiled)) return false;
      }
    } catch (const Error&) {
      return false;
    }
    return true;
  }

  const ParameterSchema& parameter_;
  std::uint32_t form_;
  std::vector<std::string> numbers_;
  std::vector<std::string> conditions_;
  std::vector<std::size_t> mine_;       // dependencies of this form
  std::vector<std::size_t> optionals_;  // of those
  std::map<std::string, std::size_t> length_index_;
  std::map<std::string, std::function<Recipe(const ModelContext&, const Operands&)>> compiled_;
  std::vector<std::string> found_;  // formulas, the most general ones first
  std::exception_ptr failure_;
};

}  // namespace

std::vector<TracedForm> trace(const ParameterSchema& parameter, const ContextNames& names) {
  std::set<std::uint32_t> forms;
  for (const DependencySchema& dependency : parameter.dependencies) forms.insert(form_of(dependency));
  if (forms.empty()) forms.insert(0);
  std::vector<TracedForm> traced;
  for (const std::uint32_t form : forms) traced.push_back({form, Tracer(parameter, form, names).trace()});
  return traced;
}

}  // namespace ballast::schema_file
