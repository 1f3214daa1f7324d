#include "plan/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/error.hpp"

namespace ballast::plan {

namespace {

[[noreturn]] void inexpressible(std::string what) {
  Diagnostic d;
  d.code = Errc::recipe_invalid;
  d.operation = "plan";
  d.what = std::move(what);
  d.cause = "use custom() for what strided copies cannot express";
  throw Error(std::move(d));
}

}  // namespace

Layout::Layout(PieceSource source, DType dtype, const Shape& shape) : shape_(shape) {
  make_empty();
  if (shape.numel() == 0) return;
  std::uint64_t stride = 1;
  Piece piece;
  piece.source = source;
  piece.from = dtype;
  for (std::size_t m = modes_.size(); m-- > 0;) {
    piece.modes[m] = {0, modes_[m].extent, stride};
    stride *= modes_[m].extent;
  }
  pieces_.push_back(piece);
}

// One mode an axis and no pieces.
void Layout::make_empty() {
  modes_.clear();
  pieces_.clear();
  for (std::size_t axis = 0; axis < shape_.rank(); ++axis)
    modes_.push_back({static_cast<std::uint8_t>(axis), shape_[axis]});
  check_size();
}

std::size_t Layout::first_mode(std::size_t axis) const noexcept {
  std::size_t m = 0;
  while (m < modes_.size() && modes_[m].axis < axis) ++m;
  return m;
}

std::size_t Layout::end_mode(std::size_t axis) const noexcept { return first_mode(axis + 1); }

void Layout::check_size() const {
  if (modes_.size() > kMaxModes) inexpressible("the recipe splits axes too often");
  if (pieces_.size() > kMaxPieces) inexpressible("the recipe falls into too many pieces");
}

// ---- modes

// Replaces a mode of extent n by (n / inner, inner). Boxes that straddle are cut into head, middle and tail.
void Layout::split_mode(std::size_t mode, std::uint64_t inner) {
  const Mode old = modes_[mode];
  modes_[mode].extent = inner;
  modes_.insert(modes_.begin() + static_cast<std::ptrdiff_t>(mode), Mode{old.axis, old.extent / inner});
  check_size();
  std::vector<Piece> result;
  result.reserve(pieces_.size());
  const auto add = [&](const Piece& piece, std::uint64_t origin, std::uint64_t count, bool whole_blocks) {
    Piece part = piece;
    const Piece::Extent from = piece.modes[mode];
    part.src_begin += (origin - from.origin) * from.src_stride;
    std::copy_backward(part.modes.begin() + static_cast<std::ptrdiff_t>(mode), part.modes.end() - 1, part.modes.end());
    if (whole_blocks) {
      part.modes[mode] = {origin / inner, count / inner, from.src_stride * inner};
      part.modes[mode + 1] = {0, inner, from.src_stride};
    } else {
      part.modes[mode] = {origin / inner, 1, from.src_stride * inner};
      part.modes[mode + 1] = {origin % inner, count, from.src_stride};
    }
    result.push_back(part);
  };
  for (const Piece& piece : pieces_) {
    std::uint64_t at = piece.modes[mode].origin;
    const std::uint64_t end = at + piece.modes[mode].count;
    if (at % inner != 0) {
      const std::uint64_t head = std::min(end, (at / inner + 1) * inner);
      add(piece, at, head - at, false);
      at = head;
    }
    if (const std::uint64_t whole = (end - at) / inner * inner; whole != 0) {
      add(piece, at, whole, true);
      at += whole;
    }
    if (at < end) add(piece, at, end - at, false);
  }
  pieces_ = std::move(result);
  check_size();
}

// Replaces the modes `outer` and `outer` + 1 by one. Boxes that are not one range of it are cut into single indices of
// the outer one.
void Layout::merge_modes(std::size_t outer) {
  const std::uint64_t inner_extent = modes_[outer + 1].extent;
  std::vector<Piece> result;
  result.reserve(pieces_.size());
  for (const Piece& piece : pieces_) {
    const Piece::Extent o = piece.modes[outer], i = piece.modes[outer + 1];
    Piece merged = piece;
    std::copy(piece.modes.begin() + static_cast<std::ptrdiff_t>(outer) + 2, piece.modes.end(),
              merged.modes.begin() + static_cast<std::ptrdiff_t>(outer) + 1);
    if (i.count == inner_extent && (o.count == 1 || o.src_stride == i.src_stride * inner_extent)) {
      merged.modes[outer] = {o.origin * inner_extent, o.count * inner_extent, i.src_stride};
      result.push_back(merged);
      continue;
    }
    for (std::uint64_t k = 0; k < o.count; ++k) {
      merged.modes[outer] = {(o.origin + k) * inner_extent + i.origin, i.count, i.src_stride};
      merged.src_begin = piece.src_begin + k * o.src_stride;
      result.push_back(merged);
      if (result.size() > kMaxPieces) inexpressible("the recipe falls into too many pieces");
    }
  }
  pieces_ = std::move(result);
  modes_[outer].extent *= inner_extent;
  modes_.erase(modes_.begin() + static_cast<std::ptrdiff_t>(outer) + 1);
}

void Layout::flatten_axis(std::size_t axis) {
  while (end_mode(axis) > first_mode(axis) + 1) merge_modes(end_mode(axis) - 2);
}

void Layout::flatten_all() {
  for (Mode& mode : modes_) mode.axis = 0;
  while (modes_.size() > 1) merge_modes(modes_.size() - 2);
}

// The products of the inner modes at which an axis is cut, innermost first.
std::vector<std::uint64_t> Layout::boundaries(std::size_t axis) const {
  std::vector<std::uint64_t> cuts;
  std::uint64_t product = 1;
  for (std::size_t m = end_mode(axis); m-- > first_mode(axis) + 1;) cuts.push_back(product *= modes_[m].extent);
  return cuts;
}

// Cuts an axis at all of the wanted products (ascending). False, perhaps with some cuts made, where one is not
// possible.
bool Layout::try_refine(std::size_t axis, std::span<const std::uint64_t> wanted) {
  for (const std::uint64_t cut : wanted) {
    std::uint64_t product = 1;
    std::size_t m = end_mode(axis);
    while (m > first_mode(axis) && product * modes_[m - 1].extent <= cut) product *= modes_[--m].extent;
    if (product == cut) continue;
    if (m == first_mode(axis)) return false;
    const std::uint64_t whole = product * modes_[m - 1].extent;
    if (cut % product != 0 || whole % cut != 0) return false;
    split_mode(m - 1, cut / product);
  }
  return true;
}

void Layout::insert_mode(std::size_t mode, Mode what, Piece::Extent box) {
  modes_.insert(modes_.begin() + static_cast<std::ptrdiff_t>(mode), what);
  check_size();
  for (Piece& piece : pieces_) {
    std::copy_backward(piece.modes.begin() + static_cast<std::ptrdiff_t>(mode), piece.modes.end() - 1,
                       piece.modes.end());
    piece.modes[mode] = box;
  }
}

void Layout::unify(std::span<Layout> operands, std::size_t axis) {
  std::vector<std::uint64_t> cuts;
  for (const Layout& operand : operands) {
    const auto own = operand.boundaries(axis);
    cuts.insert(cuts.end(), own.begin(), own.end());
  }
  if (cuts.empty()) return;
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  bool fits = true;
  for (std::size_t i = 1; i < cuts.size(); ++i) fits = fits && cuts[i] % cuts[i - 1] == 0;
  for (Layout& operand : operands)
    fits = fits && operand.shape_[axis] % cuts.back() == 0 && operand.try_refine(axis, cuts);
  for (Layout& operand : operands) {
    if (!fits) operand.flatten_axis(axis);
    // Where the last cut is the whole of an operand, it has one index of the outermost mode.
    else if (operand.end_mode(axis) - operand.first_mode(axis) == cuts.size())
      operand.insert_mode(operand.first_mode(axis), {static_cast<std::uint8_t>(axis), 1}, {0, 1, 0});
  }
}

// ---- operations

Layout Layout::concat(std::span<Layout> operands, std::size_t axis) {
  Shape shape = operands[0].shape_;
  shape[axis] = 0;
  std::vector<Layout> parts;
  for (Layout& operand : operands) {
    shape[axis] += operand.shape_[axis];
    if (!operand.pieces_.empty()) parts.push_back(std::move(operand));
  }
  if (parts.empty()) {
    operands[0].shape_ = shape;
    operands[0].make_empty();
    return std::move(operands[0]);
  }
  for (std::size_t a = 0; a < shape.rank(); ++a) unify(parts, a);
  Layout result = std::move(parts[0]);
  const std::size_t outer = result.first_mode(axis);
  for (Layout& part : std::span(parts).subspan(1)) {
    for (Piece& piece : part.pieces_) piece.modes[outer].origin += result.modes_[outer].extent;
    result.modes_[outer].extent += part.modes_[outer].extent;
    result.pieces_.insert(result.pieces_.end(), part.pieces_.begin(), part.pieces_.end());
    result.check_size();
  }
  result.shape_ = shape;
  return result;
}

Layout Layout::stack(std::span<Layout> operands, std::size_t axis) {
  Shape shape;
  const Shape each = operands[0].shape_;
  for (std::size_t i = 0; i <= each.rank(); ++i)
    shape.push_back(i == axis ? operands.size() : each[i < axis ? i : i - 1]);
  if (operands[0].pieces_.empty()) {
    operands[0].shape_ = shape;
    operands[0].make_empty();
    return std::move(operands[0]);
  }
  for (std::size_t a = 0; a < each.rank(); ++a) unify(operands, a);
  std::size_t total = 0;
  for (const Layout& operand : operands) total += operand.pieces_.size();
  const std::size_t mode = operands[0].first_mode(axis);
  Layout result = std::move(operands[0]);
  result.pieces_.reserve(total);
  for (Layout& operand : operands.subspan(1))
    result.pieces_.insert(result.pieces_.end(), operand.pieces_.begin(), operand.pieces_.end());
  for (Mode& old : result.modes_)
    if (old.axis >= axis) ++old.axis;
  result.insert_mode(mode, {static_cast<std::uint8_t>(axis), operands.size()}, {0, 1, 0});
  // The pieces stand in the order of the operands: each gets the index of its own.
  std::size_t next = result.pieces_.size();
  for (std::size_t k = operands.size(); k-- > 1;)
    for (std::size_t i = operands[k].pieces_.size(); i-- > 0;) result.pieces_[--next].modes[mode].origin = k;
  result.shape_ = shape;
  return result;
}

void Layout::slice(std::size_t axis, std::uint64_t begin, std::uint64_t count) {
  shape_[axis] = count;
  if (shape_.numel() == 0) return make_empty();
  const auto aligned = [&](std::uint64_t inner) { return begin % inner == 0 && count % inner == 0; };
  // A range of the axis is a range of its outermost mode only where it begins and ends with whole inner modes.
  for (auto cuts = boundaries(axis); !cuts.empty() && !aligned(cuts.back()); cuts = boundaries(axis))
    merge_modes(first_mode(axis));
  const auto cuts = boundaries(axis);
  const std::uint64_t inner = cuts.empty() ? 1 : cuts.back();
  const std::size_t outer = first_mode(axis);
  const std::uint64_t low = begin / inner, high = (begin + count) / inner;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Piece::Extent& box = pieces_[i].modes[outer];
    const std::uint64_t from = std::max(box.origin, low), to = std::min(box.origin + box.count, high);
    if (from >= to) continue;
    if (kept != i) pieces_[kept] = pieces_[i];
    Piece& piece = pieces_[kept++];
    piece.src_begin += (from - piece.modes[outer].origin) * piece.modes[outer].src_stride;
    piece.modes[outer].origin = from - low;
    piece.modes[outer].count = to - from;
  }
  pieces_.resize(kept);
  modes_[outer].extent = high - low;
}

void Layout::reshape(const Shape& shape) {
  shape_ = shape;
  if (shape.numel() == 0) return make_empty();
  // The products of the inner axes are where the new shape cuts the flat sequence of elements.
  std::vector<std::uint64_t> cuts;
  std::uint64_t product = 1;
  for (std::size_t axis = shape.rank(); axis-- > 1;)
    if (shape[axis] != 1) cuts.push_back(product *= shape[axis]);
  if (!cuts.empty() && cuts.back() == shape.numel()) cuts.pop_back();
  for (Mode& mode : modes_) mode.axis = 0;
  if (modes_.empty()) insert_mode(0, {0, 1}, {0, 1, 0});
  if (!try_refine(0, cuts)) {
    flatten_all();
    if (!try_refine(0, cuts)) inexpressible("a reshape that strided copies cannot express");
  }
  assign_axes();
}

// Gives each mode of a flat sequence the axis of the shape that it lies in.
void Layout::assign_axes() {
  // Modes of extent 1 say nothing; each axis of extent 1 gets one of its own below.
  for (std::size_t m = modes_.size(); m-- > 0;) {
    if (modes_[m].extent != 1) continue;
    modes_.erase(modes_.begin() + static_cast<std::ptrdiff_t>(m));
    for (Piece& piece : pieces_)
      std::copy(piece.modes.begin() + static_cast<std::ptrdiff_t>(m) + 1, piece.modes.end(),
                piece.modes.begin() + static_cast<std::ptrdiff_t>(m));
  }
  std::size_t end = modes_.size();
  for (std::size_t axis = shape_.rank(); axis-- > 0;) {
    std::uint64_t product = 1;
    while (product < shape_[axis]) {
      product *= modes_[--end].extent;
      modes_[end].axis = static_cast<std::uint8_t>(axis);
    }
    if (shape_[axis] == 1) insert_mode(end, {static_cast<std::uint8_t>(axis), 1}, {0, 1, 0});
  }
}

void Layout::permute(std::span<const std::uint8_t> order) {
  Shape shape;
  std::vector<Mode> modes;
  std::array<std::size_t, kMaxModes> from{};
  for (std::size_t axis = 0; axis < shape_.rank(); ++axis) {
    shape.push_back(shape_[order[axis]]);
    for (std::size_t m = first_mode(order[axis]); m < end_mode(order[axis]); ++m) {
      from[modes.size()] = m;
      modes.push_back({static_cast<std::uint8_t>(axis), modes_[m].extent});
    }
  }
  std::array<Piece::Extent, kMaxModes> old;
  for (Piece& piece : pieces_) {
    std::copy_n(piece.modes.begin(), modes.size(), old.begin());
    for (std::size_t m = 0; m < modes.size(); ++m) piece.modes[m] = old[from[m]];
  }
  shape_ = shape;
  modes_ = std::move(modes);
}

void Layout::cast(DType dtype) {
  for (Piece& piece : pieces_) {
    if (piece.n_steps == piece.steps.size()) inexpressible("too many casts in a row");
    piece.steps[piece.n_steps++] = dtype;
  }
}

}  // namespace ballast::plan
