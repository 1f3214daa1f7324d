// Planning: each parameter's recipe is evaluated, tensors get their places in the arena, copies their order.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <unordered_map>

#include "ballast/error.hpp"
#include "ballast/plan.hpp"
#include "plan/evaluate.hpp"
#include "plan/groups.hpp"
#include "plan/plan_report.hpp"
#include "plan/ties.hpp"

namespace ballast {

namespace {

using plan::Evaluator;
using plan::PlanReport;
using plan::Sources;

// The operands of one parameter. Reused from parameter to parameter: a model of 18,000 tensors has as many operands.
class OperandTable {
 public:
  explicit OperandTable(const Catalog& catalog) : catalog_(catalog) {}

  // Puts together what the recipe of a parameter works on.
  Operands collect(const BoundContainer& container, std::size_t p) {
    const std::size_t n = container.schema->parameters()[p].dependencies.size();
    recipes_.clear();
    spans_.clear();
    first_.clear();
    stored_.clear();
    std::size_t total = 0;
    for (std::size_t d = 0; d < n; ++d) total += container.layout->end(p, d) - container.layout->begin(p, d);
    recipes_.reserve(total);  // spans point into it
    for (std::size_t d = 0; d < n; ++d) {
      const std::size_t begin = recipes_.size();
      first_.push_back(static_cast<std::uint32_t>(stored_.size()));
      for (std::uint32_t e = container.layout->begin(p, d); e < container.layout->end(p, d); ++e) {
        const std::uint32_t t = container.sources[e];
        stored_.push_back(t);
        if (t == kUnbound) continue;  // an optional dependency that this checkpoint lacks
        const TensorInfo& tensor = catalog_.tensors[t];
        recipes_.push_back(Recipe::source(static_cast<std::uint32_t>(d), e - container.layout->begin(p, d),
                                          {tensor.dtype, tensor.shape}));
      }
      spans_.emplace_back(recipes_.data() + begin, recipes_.size() - begin);
    }
    return Operands(spans_);
  }
  [[nodiscard]] Sources sources() const { return {first_, stored_}; }
  [[nodiscard]] const std::vector<std::uint32_t>& stored() const { return stored_; }
  // All dependencies optional, and none there: the parameter holds nothing.
  [[nodiscard]] bool is_absent() const { return recipes_.empty() && !spans_.empty(); }

 private:
  const Catalog& catalog_;
  std::vector<Recipe> recipes_;
  std::vector<std::span<const Recipe>> spans_;
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> stored_;
};

class Planner {
 public:
  Planner(const Catalog& catalog, const Binding& binding, const ModelContext& context)
      : catalog_(catalog), binding_(binding), context_(context), operands_(catalog), report_(catalog, binding) {}

  Plan run() {
    plan_all();
    report_.diagnose().throw_if_any();
    // From here on every parameter has its tensors and copies; none has a place.
    plan::share_aliases(plan_, catalog_);
    plan::note_tied_pairs(plan_, binding_);
    place_all();
    // From here on every tensor has its place, aliases that of another.
    plan::order_by_file(plan_);
    return std::move(plan_);
  }

  // The faults alone, of the parameters that lack nothing.
  Diagnostics faults() {
    plan_all();
    return report_.diagnose();
  }

 private:
  void plan_all() {
    plan_.copies.reserve(catalog_.tensors.size());
    for (std::uint32_t c = 0; c < binding_.containers.size(); ++c) {
      const BoundContainer& container = binding_.containers[c];
      if (!container.schema->has_mapping()) continue;
      for (std::uint32_t p = 0; p < container.schema->n_params(); ++p)
        if (!std::binary_search(container.incomplete.begin(), container.incomplete.end(), p)) plan_parameter(c, p);
    }
  }

  void plan_parameter(std::uint32_t c, std::uint32_t p) {
    const BoundContainer& container = binding_.containers[c];
    const Operands operands = operands_.collect(container, p);
    if (operands_.is_absent()) return;
    try {
      const Recipe recipe = container.schema->parameters()[p].finalize(context_, operands);
      if (recipe.is_nothing()) return;
      plan_tensor(c, p, {}, recipe);
      for (const auto& [name, aux] : recipe.aux())
        if (!aux.is_nothing()) plan_tensor(c, p, name, aux);
    } catch (const Error& error) {
      report_.add(c, p, operands_.stored(), error);
    } catch (const std::exception& error) {
      // What a user's finalize throws of its own.
      report_.add(c, p, operands_.stored(), error);
    }
  }

  void plan_tensor(std::uint32_t c, std::uint32_t p, const std::string& aux, const Recipe& recipe) {
    PlannedTensor tensor;
    tensor.container = c;
    tensor.parameter = p;
    tensor.aux = aux;
    tensor.spec = recipe.spec();
    tensor.nbytes = plan::bytes_of_result(tensor.spec);
    const std::size_t first = plan_.copies.size();
    const auto index = static_cast<std::uint32_t>(plan_.tensors.size());
    const BoundContainer& container = binding_.containers[c];
    Evaluator(plan_, container.name, container.schema->parameters()[p].name, operands_.sources())
        .emit(recipe, {index, false}, plan_.copies);
    for (std::size_t i = first; i < plan_.copies.size(); ++i) locate(plan_.copies[i]);
    plan_.tensors.push_back(std::move(tensor));
  }

  void locate(Copy& copy) const {
    const TensorInfo& tensor = catalog_.tensors[copy.source];
    copy.file = tensor.file;
    copy.src_base = tensor.offset;
  }

  void place_all() {
    // Heads that may turn out to be the embedding come last, so that their memory can be given back then.
    std::vector<bool> last(plan_.tensors.size(), false);
    for (const TiedPair& pair : plan_.tied_pairs) last[pair.head] = true;
    for (const bool now : {false, true})
      for (std::size_t t = 0; t < plan_.tensors.size(); ++t)
        if (last[t] == now && plan_.tensors[t].alias_of == kNoIndex) place(plan_.tensors[t]);
    // An alias was given its offset within the other tensor; aliases of aliases do not occur.
    for (PlannedTensor& tensor : plan_.tensors)
      if (tensor.alias_of != kNoIndex) tensor.arena_offset += plan_.tensors[tensor.alias_of].arena_offset;
    for (Copy& copy : plan_.copies)
      if (!copy.to_scratch) copy.dst_base = plan_.tensors[copy.target].arena_offset;
    for (ScratchCopies& entry : plan_.scratch_copies)
      if (!entry.copy.to_scratch) entry.copy.dst_base = plan_.tensors[entry.copy.target].arena_offset;
  }

  void place(PlannedTensor& tensor) {
    std::uint64_t end = 0;
    if (__builtin_add_overflow(plan_.arena_bytes, tensor.nbytes, &end) || end > kMostArena) refuse_size();
    tensor.arena_offset = plan_.arena_bytes;
    plan_.bytes_placed += tensor.nbytes;
    plan_.arena_bytes = (end + kArenaAlignment - 1) / kArenaAlignment * kArenaAlignment;
  }

  [[noreturn]] static void refuse_size() {
    Diagnostic d;
    d.code = Errc::too_large;
    d.operation = "plan";
    d.what = "the model does not fit into an address space";
    d.expected = fmt::format("at most {} bytes", kMostArena);
    throw Error(std::move(d));
  }

  static constexpr std::uint64_t kMostArena = std::uint64_t{1} << 46;

  const Catalog& catalog_;
  const Binding& binding_;
  const ModelContext& context_;
  OperandTable operands_;
  PlanReport report_;
  Plan plan_;
};

[[noreturn]] void refuse_incomplete(const BoundContainer& container) {
  Diagnostic d;
  d.code = Errc::invalid_argument;
  d.operation = "plan";
  d.container = container.name;
  d.parameter = container.schema->parameters()[container.incomplete.front()].name;
  d.what = "a binding with faults cannot be planned";
  d.expected = "a binding for which bind() had no faults";
  throw Error(std::move(d));
}

}  // namespace

Plan make_plan(const Catalog& catalog, const Binding& binding, const ModelContext& context) {
  context.check_ranks();
  for (const BoundContainer& container : binding.containers)
    if (!container.incomplete.empty()) refuse_incomplete(container);
  return Planner(catalog, binding, context).run();
}

Diagnostics plan_faults(const Catalog& catalog, const Binding& binding, const ModelContext& context) {
  context.check_ranks();
  return Planner(catalog, binding, context).faults();
}

}  // namespace ballast
