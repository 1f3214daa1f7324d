// A plan: the final place of every tensor in the arena, and the copies that fill it. Pure data, made from headers
// alone; everything that can be wrong with names, shapes, dtypes, heads, ranks or sizes is wrong here at the latest.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "ballast/binding.hpp"
#include "ballast/catalog.hpp"
#include "ballast/dtype.hpp"
#include "ballast/model_context.hpp"
#include "ballast/recipe.hpp"

namespace ballast {

inline constexpr std::uint64_t kArenaAlignment = 256;  // bytes; of every tensor's place in the arena
inline constexpr std::uint32_t kNoIndex = std::numeric_limits<std::uint32_t>::max();

// One loop of a strided copy; strides count elements.
struct CopyDim {
  std::uint64_t count = 0;
  std::uint64_t src_stride = 0;
  std::uint64_t dst_stride = 0;
  friend bool operator==(const CopyDim&, const CopyDim&) = default;
};

// A strided copy of elements from one stored tensor into one final tensor (or into or out of scratch memory).
//
// Element i of the source is read from the file at byte `src_base` + i * element size (for block types: from the block
// i / block_elements). The loops are normalised: no loop of count 1, loops that are contiguous on both sides merged,
// ordered by source stride, largest first, so that walking them visits the source in file order whenever the source
// strides nest. A copy of one element has no loops. Different elements of one copy never have the same destination.
struct Copy {
  static constexpr std::size_t kMaxDims = 8;

  std::uint32_t source = kNoIndex;  // index into Catalog::tensors (the first, where neighbours were joined), or scratch
  std::uint32_t target = kNoIndex;  // index into Plan::tensors, or into Plan::scratch
  bool from_scratch = false;
  bool to_scratch = false;
  std::uint32_t file = 0;       // index into Catalog::files
  std::uint64_t src_base = 0;   // bytes: where the source's elements start in the file (or in the scratch block)
  std::uint64_t src_begin = 0;  // elements
  std::uint64_t dst_base = 0;   // bytes: where the target starts in the arena (or in the scratch block)
  std::uint64_t dst_begin = 0;  // elements
  DType from = DType::F32;      // as stored
  DType to = DType::F32;        // as placed; equal to `from` where bytes are only moved
  std::array<DType, 2> via{};   // intermediate dtypes of casts in a row
  std::uint8_t n_via = 0;
  std::uint8_t n_dims = 0;
  std::array<CopyDim, kMaxDims> dims{};

  [[nodiscard]] bool converts() const noexcept { return from != to || n_via != 0; }
  [[nodiscard]] std::uint64_t elements() const noexcept;
  // Elements of the innermost run that is contiguous in the source, and whether it is so in the target as well.
  [[nodiscard]] std::uint64_t run_elements() const noexcept;
  [[nodiscard]] bool run_is_contiguous_in_target() const noexcept;
  // First and one past the last byte of the file that the copy touches.
  [[nodiscard]] std::uint64_t file_begin() const noexcept;
  [[nodiscard]] std::uint64_t file_end() const noexcept;
};

// Copies that are read together: their byte ranges overlap (several parameters made of one tensor, or heads picked out
// of one), and no other group's range in the same file does. Groups are in file order, by file and then by offset.
struct ReadGroup {
  std::uint32_t file = 0;
  std::uint32_t first_copy = 0;  // into Plan::copies
  std::uint32_t n_copies = 0;
  std::uint64_t begin = 0, end = 0;  // bytes; the range that the copies touch, perhaps with gaps
};

// One final tensor: a parameter or one of its auxiliaries.
struct PlannedTensor {
  std::uint32_t container = 0;  // index into Binding::containers
  std::uint32_t parameter = 0;  // index into its schema's parameters
  std::string aux;              // name of the auxiliary; empty for the parameter itself
  TensorSpec spec;
  std::uint64_t arena_offset = 0;  // multiple of kArenaAlignment
  std::uint64_t nbytes = 0;
  std::uint32_t alias_of = kNoIndex;  // another entry whose bytes this one shares (tied weights)
};

// Memory for the operands and results of custom operations, for the time of the load.
struct ScratchTensor {
  TensorSpec spec;
  std::uint64_t offset = 0;  // in the scratch block, multiple of 64
  std::uint64_t nbytes = 0;
};

// Runs after all copies from files, in this order; `then` (into Plan::scratch_copies) after it.
struct CustomStep {
  std::string name;
  CustomFunction function;
  std::vector<std::uint32_t> operands;  // into Plan::scratch
  std::uint32_t result = 0;             // into Plan::scratch
  std::string container, parameter;     // whose recipe it belongs to
};

struct ScratchCopies {
  std::uint32_t after_steps = 0;  // runs when that many custom steps have run
  Copy copy;
};

// Two tensors that the config says are the same one and that the file holds both (B8).
struct TiedPair {
  std::uint32_t head = 0;              // into Plan::tensors
  std::uint32_t embedding = 0;         // into Plan::tensors
  std::uint64_t embedding_offset = 0;  // bytes: where the head's first row is in the embedding
};

struct Plan {
  std::vector<PlannedTensor> tensors;  // in the order of containers and parameters
  std::vector<Copy> copies;            // from files, ordered by group
  std::vector<ReadGroup> groups;
  std::vector<ScratchTensor> scratch;
  std::vector<CustomStep> steps;
  std::vector<ScratchCopies> scratch_copies;  // by after_steps
  std::vector<TiedPair> tied_pairs;
  std::uint64_t arena_bytes = 0;
  std::uint64_t scratch_bytes = 0;
  std::uint64_t bytes_needed = 0;  // distinct bytes of the files that any tensor needs; what execution reads
  std::uint64_t bytes_placed = 0;  // bytes of all tensors in the arena, aliases once
};

// Evaluates every recipe. Throws Error with all faults of all parameters, each naming container, parameter, the
// sources and what they should have been. Throws Error(invalid_argument) for a binding with faults.
[[nodiscard]] Plan make_plan(const Catalog& catalog, const Binding& binding, const ModelContext& context);
// What it would throw for a binding with faults, of the parameters that lack nothing: to be reported beside those.
[[nodiscard]] Diagnostics plan_faults(const Catalog& catalog, const Binding& binding, const ModelContext& context);

// What several plans of one catalog, such as those of all ranks, read together: a byte that several of them need is
// read once. Their copies in the order of the files, grouped anew; the copies themselves stay in their plans.
struct JointReads {
  struct CopyOf {
    std::uint32_t plan = 0;  // its place among the plans that were joined
    std::uint32_t copy = 0;  // into its Plan::copies
  };
  std::vector<CopyOf> copies;      // ordered by group
  std::vector<ReadGroup> groups;   // as those of a plan, but that first_copy is an index into `copies`
  std::uint64_t bytes_needed = 0;  // distinct bytes of the files that any of the plans needs
};
[[nodiscard]] JointReads join_reads(std::span<const Plan* const> plans);

}  // namespace ballast
