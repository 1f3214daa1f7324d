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
#include "schema_file/recipe_formula.hpp"
#include "schema_file/trace_runs.hpp"

namespace ballast::schema_file {

namespace {

constexpr std::size_t kMostOptionals = 8;
constexpr std::size_t kRanksToldApart = 3;

struct Branch {
  std::optional<std::string> formula;  // nothing: cannot occur
  std::vector<Case> cases;
};

class Tracer {
 public:
  Tracer(const ParameterSchema& parameter, std::uint32_t form, const ContextNames& names)
      : parameter_(parameter), form_(form), runs_(parameter, form, names) {
    if (runs_.n_optionals() > kMostOptionals)
      refuse(fmt::format("it has more than {} optional dependencies", kMostOptionals), "");
  }

  std::string trace() {
    Case start;
    start.present.assign(runs_.n_optionals(), true);
    start.holds.assign(runs_.conditions().size(), true);
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
    if (condition == runs_.conditions().size()) return by_gguf(one);
    if (!matters(one, condition)) return by_condition(one, condition + 1);
    return fork(
        runs_.conditions()[condition], one, [condition](Case& c, bool is) { c.holds[condition] = is; },
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
          terms[holds ? 1 : 0] = runs_.run(one, 0, Numbers::made_up, parameter_.finalize);
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
    if (optional == runs_.n_optionals()) return by_layout(one);
    return fork(
        fmt::format("present({})", runs_.optional(optional)), one,
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
    const std::string symbol = runs_.first_symbol(one);
    if (rank == kRanksToldApart + 1 || symbol.empty()) return leaf(one);
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

  Branch leaf(const Case& one) {
    Branch branch;
    if (runs_.holds_nothing(one) || (one.one_rank && !one.rank_is_0)) return branch;
    std::array<Term, kModels> terms;
    try {
      for (std::size_t m = 0; m < kModels; ++m) terms[m] = runs_.run(one, m, Numbers::made_up, parameter_.finalize);
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
    branch.formula = runs_.print(one, terms);
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
        same = same_structure(terms[0], runs_.run(one, 0, probe, parameter_.finalize));
      } catch (const std::exception&) {
        // It checks its numbers, which is as good as a formula's own checks.
      }
      if (!same)
        refuse("its recipe branches on a number of the model", "a choice by a number belongs into the container map");
    }
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
        const std::shared_ptr<recipe::Extents> same = runs_.extents(m);
        const Term compiled = runs_.run(one, m, Numbers::made_up, parameter_.finalize, same);
        if (!(runs_.run(one, m, Numbers::made_up, known->second, same) == compiled)) return false;
      }
    } catch (const Error&) {
      return false;
    }
    return true;
  }

  const ParameterSchema& parameter_;
  std::uint32_t form_;
  TraceRuns runs_;
  std::map<std::string, Finalize> compiled_;
  std::vector<std::string> found_;  // formulas, the most general ones first
  std::exception_ptr failure_;
};

}  // namespace

std::vector<TracedForm> trace(const ParameterSchema& parameter, const ContextNames& names) {
  std::set<std::uint32_t> forms;
  for (const DependencySchema& dependency : parameter.dependencies) forms.insert(dependency.form);
  if (forms.empty()) forms.insert(0);
  std::vector<TracedForm> traced;
  for (const std::uint32_t form : forms) traced.push_back({form, Tracer(parameter, form, names).trace()});
  return traced;
}

}  // namespace ballast::schema_file
