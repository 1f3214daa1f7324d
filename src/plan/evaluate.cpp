#include "plan/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/error.hpp"

namespace ballast::plan {

using detail::RecipeKind;
using detail::RecipeNode;

namespace {

[[noreturn]] void refuse(Errc code, std::string what, std::string expected, std::string got) {
  Diagnostic d;
  d.code = code;
  d.operation = "plan";
  d.what = std::move(what);
  d.expected = std::move(expected);
  d.got = std::move(got);
  throw Error(std::move(d));
}

struct Loops {
  std::array<CopyDim, kMaxModes> dims{};
  std::size_t n = 0;
};

// Loops of count 1 dropped, ordered by source stride, neighbours that are contiguous on both sides merged.
Loops normalise(const Piece& piece, std::span<const Layout::Mode> modes, std::uint64_t& dst_begin) {
  std::array<CopyDim, kMaxModes> dims{};
  std::size_t n = 0;
  std::uint64_t dst_stride = 1;
  dst_begin = 0;
  for (std::size_t m = modes.size(); m-- > 0;) {
    const Piece::Extent& box = piece.modes[m];
    dst_begin += box.origin * dst_stride;
    if (box.count > 1) dims[n++] = {box.count, box.src_stride, dst_stride};
    dst_stride *= modes[m].extent;
  }
  // A handful of loops: sorted by insertion, largest source stride first.
  for (std::size_t i = 1; i < n; ++i)
    for (std::size_t j = i; j > 0 && dims[j - 1].src_stride < dims[j].src_stride; --j) std::swap(dims[j - 1], dims[j]);
  Loops merged;
  for (std::size_t i = 0; i < n; ++i) {
    if (merged.n > 0) {
      CopyDim& outer = merged.dims[merged.n - 1];
      if (outer.src_stride == dims[i].count * dims[i].src_stride &&
          outer.dst_stride == dims[i].count * dims[i].dst_stride) {
        outer = {outer.count * dims[i].count, dims[i].src_stride, dims[i].dst_stride};
        continue;
      }
    }
    merged.dims[merged.n++] = dims[i];
  }
  return merged;
}

// Blocks can be moved, not cut.
void check_blocks(const Copy& copy) {
  const DTypeInfo& type = info(copy.from);
  const std::uint64_t block = type.block_elements;
  if (block == 1 || copy.converts()) return;
  bool whole = copy.src_begin % block == 0 && copy.dst_begin % block == 0 && copy.run_elements() % block == 0 &&
               copy.run_is_contiguous_in_target();
  for (std::size_t i = 0; i + 1 < copy.n_dims; ++i)
    whole = whole && copy.dims[i].src_stride % block == 0 && copy.dims[i].dst_stride % block == 0;
  if (!whole)
    refuse(Errc::dtype_unsupported, fmt::format("the recipe cuts a {} tensor inside a block", type.name),
           fmt::format("whole blocks of {} elements, or a conversion to a plain dtype", block),
           fmt::format("runs of {} elements from element {} on", copy.run_elements(), copy.src_begin));
}

// Block conversions decode whole blocks, which needs a kernel for every step after the first as well; those between
// plain types always exist where the recipe could be built.
void set_steps(Copy& copy, const Piece& piece, DType dtype) {
  copy.from = piece.from;
  copy.to = dtype;
  copy.n_via = 0;
  for (std::size_t i = 0; i + 1 < piece.n_steps; ++i) copy.via[copy.n_via++] = piece.steps[i];
}

}  // namespace

std::uint64_t bytes_of_result(const TensorSpec& spec) {
  if (const auto nbytes = byte_size(spec.dtype, spec.shape.numel())) return *nbytes;
  refuse(Errc::dtype_unsupported, "the tensor is not a whole number of blocks of its dtype", "whole blocks",
         to_string(spec));
}

void Evaluator::emit(const Recipe& recipe, CopyTarget target, std::vector<Copy>& out) {
  emit_layout(evaluate(*recipe.node(), out), recipe.dtype(), target, out);
}

Layout Evaluator::evaluate(const RecipeNode& node, std::vector<Copy>& out) {
  const auto operands = [&] {
    std::vector<Layout> layouts;
    layouts.reserve(node.operands.size());
    for (const auto& operand : node.operands) layouts.push_back(evaluate(*operand, out));
    return layouts;
  };
  switch (node.kind) {
    case RecipeKind::source:
      return Layout({sources_.stored[sources_.first[node.dependency] + node.element], false}, node.spec.dtype,
                    node.spec.shape);
    case RecipeKind::concat: {
      auto layouts = operands();
      return Layout::concat(layouts, node.axis);
    }
    case RecipeKind::stack: {
      auto layouts = operands();
      return Layout::stack(layouts, node.axis);
    }
    case RecipeKind::custom:
      return evaluate_custom(node, out);
    case RecipeKind::nothing:
      refuse(Errc::recipe_invalid, "an operand holds nothing on this rank", "a tensor", "nothing");
    default:
      break;
  }
  Layout layout = evaluate(*node.operands.front(), out);
  if (node.kind == RecipeKind::slice) layout.slice(node.axis, node.begin, node.spec.shape[node.axis]);
  if (node.kind == RecipeKind::reshape) layout.reshape(node.spec.shape);
  if (node.kind == RecipeKind::permute) layout.permute(node.order);
  if (node.kind == RecipeKind::cast) layout.cast(node.spec.dtype);
  return layout;
}

std::uint32_t Evaluator::new_scratch(const TensorSpec& spec) {
  constexpr std::uint64_t kScratchAlignment = 64;
  ScratchTensor scratch;
  scratch.spec = spec;
  const auto nbytes = byte_size(spec.dtype, spec.shape.numel());
  if (!nbytes)
    refuse(Errc::dtype_unsupported, "scratch of a block dtype that is not whole blocks", "whole blocks",
           to_string(spec));
  scratch.nbytes = *nbytes;
  scratch.offset = plan_.scratch_bytes;
  plan_.scratch_bytes += (scratch.nbytes + kScratchAlignment - 1) / kScratchAlignment * kScratchAlignment;
  plan_.scratch.push_back(scratch);
  return static_cast<std::uint32_t>(plan_.scratch.size() - 1);
}

Layout Evaluator::evaluate_custom(const RecipeNode& node, std::vector<Copy>& out) {
  CustomStep step;
  step.name = node.name;
  step.function = node.function;
  step.container = container_;
  step.parameter = parameter_;
  for (const auto& operand : node.operands) {
    const std::uint32_t scratch = new_scratch(operand->spec);
    emit(Recipe(operand), {scratch, true}, out);
    step.operands.push_back(scratch);
  }
  step.result = new_scratch(node.spec);
  const PieceSource source{step.result, true};
  plan_.steps.push_back(std::move(step));
  return Layout(source, node.spec.dtype, node.spec.shape);
}

void Evaluator::emit_layout(const Layout& layout, DType dtype, CopyTarget target, std::vector<Copy>& out) {
  for (const Piece& piece : layout.pieces()) {
    Copy copy;
    copy.source = piece.source.index;
    copy.from_scratch = piece.source.is_scratch;
    copy.target = target.index;
    copy.to_scratch = target.is_scratch;
    copy.src_begin = piece.src_begin;
    set_steps(copy, piece, dtype);
    Loops loops = normalise(piece, layout.modes(), copy.dst_begin);
    if (loops.n > Copy::kMaxDims)
      refuse(Errc::recipe_invalid, "a copy needs too many nested loops", fmt::format("at most {}", Copy::kMaxDims),
             std::to_string(loops.n));
    copy.n_dims = static_cast<std::uint8_t>(loops.n);
    std::copy(loops.dims.begin(), loops.dims.begin() + static_cast<std::ptrdiff_t>(loops.n), copy.dims.begin());
    check_blocks(copy);
    if (target.is_scratch) copy.dst_base = plan_.scratch[target.index].offset;
    if (copy.from_scratch) {
      copy.src_base = plan_.scratch[copy.source].offset;
      plan_.scratch_copies.push_back({static_cast<std::uint32_t>(plan_.steps.size()), copy});
    } else {
      out.push_back(copy);
    }
  }
}

}  // namespace ballast::plan
