#include "containers/finalise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "ballast/error.hpp"
#include "ballast/execute.hpp"
#include "ballast/plan.hpp"
#include "plan/evaluate.hpp"

namespace ballast::containers {

namespace {

// Memory aligned as every parameter is.
std::shared_ptr<std::byte> allocate(std::uint64_t bytes) {
  constexpr std::align_val_t kAlignment{kArenaAlignment};
  return {static_cast<std::byte*>(::operator new(std::max<std::uint64_t>(bytes, 1), kAlignment)),
          [](std::byte* memory) { ::operator delete(memory, kAlignment); }};
}

struct Result {
  std::string aux;
  TensorSpec spec;
  std::uint64_t offset = 0;
};

// One parameter's recipes, evaluated into a plan of their own whose sources are tensors in memory.
class MemoryPlan {
 public:
  explicit MemoryPlan(std::span<const std::vector<Tensor>> sources) {
    for (const std::vector<Tensor>& dependency : sources) {
      first_.push_back(static_cast<std::uint32_t>(tensors_.size()));
      tensors_.insert(tensors_.end(), dependency.begin(), dependency.end());
    }
    for (std::uint32_t i = 0; i < tensors_.size(); ++i) index_.push_back(i);
  }

  void add(std::string aux, const Recipe& recipe) {
    const std::uint64_t nbytes = plan::bytes_of_result(recipe.spec());
    const auto target = static_cast<std::uint32_t>(results_.size());
    plan::Evaluator(plan_, {}, {}, {first_, index_}).emit(recipe, {target, false}, plan_.copies);
    results_.push_back({std::move(aux), recipe.spec(), bytes_});
    bytes_ += (nbytes + kArenaAlignment - 1) / kArenaAlignment * kArenaAlignment;
  }

  [[nodiscard]] InferenceParameter run() {
    const std::shared_ptr<std::byte> memory = allocate(bytes_);
    const std::shared_ptr<std::byte> scratch = allocate(plan_.scratch_bytes);
    for (Copy& copy : plan_.copies) run_copy(copy, memory.get(), scratch.get());
    std::size_t next = 0;
    for (std::uint32_t done = 0; done <= plan_.steps.size(); ++done) {
      for (; next < plan_.scratch_copies.size() && plan_.scratch_copies[next].after_steps <= done; ++next)
        run_copy(plan_.scratch_copies[next].copy, memory.get(), scratch.get());
      if (done < plan_.steps.size()) run_step(plan_.steps[done], scratch.get());
    }
    return hand_out(memory);
  }

 private:
  void run_copy(Copy& copy, std::byte* memory, std::byte* scratch) {
    const std::byte* source = copy.from_scratch ? scratch + plan_.scratch[copy.source].offset
                                                : static_cast<const std::byte*>(tensors_[copy.source].data);
    if (!copy.to_scratch) copy.dst_base = results_[copy.target].offset;
    place(copy, source, copy.to_scratch ? scratch : memory);
  }

  void run_step(const CustomStep& step, std::byte* scratch) {
    std::vector<std::span<const std::byte>> operands;
    for (const std::uint32_t operand : step.operands)
      operands.emplace_back(scratch + plan_.scratch[operand].offset, plan_.scratch[operand].nbytes);
    step.function(operands, {scratch + plan_.scratch[step.result].offset, plan_.scratch[step.result].nbytes});
  }

  [[nodiscard]] InferenceParameter hand_out(const std::shared_ptr<std::byte>& memory) const {
    const auto tensor = [&](const Result& result) {
      return contiguous_tensor(memory.get() + result.offset, result.spec.dtype, result.spec.shape);
    };
    InferenceParameter value(tensor(results_.front()), memory);
    for (const Result& result : std::span(results_).subspan(1)) value.add_aux(result.aux, tensor(result));
    return value;
  }

  std::vector<Tensor> tensors_;
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> index_;
  Plan plan_;
  std::vector<Result> results_;
  std::uint64_t bytes_ = 0;
};

}  // namespace

InferenceParameter finalise(const ParameterSchema& parameter, const ModelContext& model,
                            std::span<const std::vector<Tensor>> sources) {
  std::vector<std::vector<Recipe>> recipes(sources.size());
  std::vector<std::span<const Recipe>> spans;
  bool absent = !sources.empty();
  for (std::uint32_t d = 0; d < sources.size(); ++d) {
    for (std::uint32_t e = 0; e < sources[d].size(); ++e)
      recipes[d].push_back(Recipe::source(d, e, {sources[d][e].dtype, sources[d][e].shape}));
    absent = absent && parameter.dependencies[d].kind == DependencyKind::optional && recipes[d].empty();
    spans.emplace_back(recipes[d]);
  }
  if (absent) return {};
  const Recipe recipe = parameter.finalize(model, Operands(spans));
  if (recipe.is_nothing()) return {};
  MemoryPlan plan(sources);
  plan.add({}, recipe);
  for (const auto& [name, aux] : recipe.aux())
    if (!aux.is_nothing()) plan.add(name, aux);
  return plan.run();
}

}  // namespace ballast::containers
