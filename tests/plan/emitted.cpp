#include "plan/emitted.hpp"

#include <numeric>

#include "plan/dense.hpp"
#include "plan/evaluate.hpp"

namespace ballast::test {

namespace {

void run_loops(const Copy& copy, std::size_t dim, std::uint64_t src, std::uint64_t dst, Placed& placed) {
  if (dim < copy.n_dims) {
    const CopyDim& loop = copy.dims[dim];
    for (std::uint64_t i = 0; i < loop.count; ++i)
      run_loops(copy, dim + 1, src + i * loop.src_stride, dst + i * loop.dst_stride, placed);
    return;
  }
  if (dst >= placed.elements.size()) {
    ++placed.out_of_range;
    return;
  }
  if (placed.elements[dst] != Placed::kUnwritten) ++placed.written_again;
  placed.elements[dst] = element_number(copy.source, src);
}

}  // namespace

Emitted emit(const Recipe& recipe) {
  static const std::vector<std::uint32_t> all = [] {
    constexpr std::size_t kMostSources = 100'000;
    std::vector<std::uint32_t> numbers(kMostSources);
    std::iota(numbers.begin(), numbers.end(), 0U);
    return numbers;
  }();
  Emitted emitted;
  emitted.spec = recipe.spec();
  plan::Evaluator(emitted.plan, {}, {}, {all, all}).emit(recipe, {0, false}, emitted.copies);
  return emitted;
}

std::vector<CopyDim> loops_of(const Copy& copy) { return {copy.dims.begin(), copy.dims.begin() + copy.n_dims}; }

Placed run(std::span<const Copy> copies, std::uint64_t target_elements) {
  Placed placed;
  placed.elements.assign(target_elements, Placed::kUnwritten);
  for (const Copy& copy : copies) run_loops(copy, 0, copy.src_begin, copy.dst_begin, placed);
  return placed;
}

testing::AssertionResult places(const Emitted& emitted, std::span<const std::uint64_t> elements) {
  for (const Copy& copy : emitted.copies)
    if (const auto normalised = is_normalised(copy); !normalised) return normalised;
  const Placed placed = run(emitted.copies, emitted.spec.shape.numel());
  if (placed.out_of_range != 0) return testing::AssertionFailure() << placed.out_of_range << " writes out of range";
  if (placed.written_again != 0) return testing::AssertionFailure() << placed.written_again << " places written again";
  if (placed.elements.size() != elements.size())
    return testing::AssertionFailure() << placed.elements.size() << " places for " << elements.size() << " elements";
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (placed.elements[i] == elements[i]) continue;
    if (placed.elements[i] == Placed::kUnwritten) return testing::AssertionFailure() << "place " << i << " unwritten";
    return testing::AssertionFailure() << "at " << i << ": element " << elements[i] << " expected, got "
                                       << placed.elements[i];
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult is_normalised(const Copy& copy) {
  const auto loops = loops_of(copy);
  for (std::size_t i = 0; i < loops.size(); ++i) {
    if (loops[i].count < 2) return testing::AssertionFailure() << "loop " << i << " of count " << loops[i].count;
    if (i == 0) continue;
    const CopyDim &outer = loops[i - 1], &inner = loops[i];
    if (outer.src_stride < inner.src_stride) return testing::AssertionFailure() << "loop " << i << " is out of order";
    if (outer.src_stride == inner.count * inner.src_stride && outer.dst_stride == inner.count * inner.dst_stride)
      return testing::AssertionFailure() << "loop " << i << " could be merged";
  }
  return testing::AssertionSuccess();
}

}  // namespace ballast::test
