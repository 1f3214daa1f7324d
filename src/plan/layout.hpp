// The layout of a symbolic tensor: which part of it comes from where.
//
// A layout covers the index space of a tensor with pieces. A piece is a box of that space whose elements lie at an
// affine function of their index in one source. So that interleaving, splitting and merging axes keep pieces few and
// large, each axis is written in mixed radix: as one or more modes, outermost first, whose extents multiply to the
// extent of the axis. Interleaved gate and up rows are two pieces over the modes [inter][2], each with one index of the
// inner one; a reshape only regroups modes; a permutation reorders them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ballast/dtype.hpp"
#include "ballast/shape.hpp"

namespace ballast::plan {

inline constexpr std::size_t kMaxModes = 18;
// Where modes of different radix meet, boxes are cut into single indices of the outer mode. A recipe that needs more
// pieces than this is refused: it is what `custom` is for.
inline constexpr std::size_t kMaxPieces = 65'536;

struct PieceSource {
  std::uint32_t index = 0;  // into Catalog::tensors, or into Plan::scratch
  bool is_scratch = false;
  friend bool operator==(const PieceSource&, const PieceSource&) = default;
};

struct Piece {
  PieceSource source;
  DType from = DType::F32;
  std::uint8_t n_steps = 0;
  std::array<DType, 3> steps{};  // dtypes that the elements are cast to, one after the other
  std::uint64_t src_begin = 0;   // element of the source at the piece's origin
  struct Extent {
    std::uint64_t origin = 0;
    std::uint64_t count = 0;
    std::uint64_t src_stride = 0;
  };
  std::array<Extent, kMaxModes> modes{};
};

class Layout {
 public:
  struct Mode {
    std::uint8_t axis = 0;
    std::uint64_t extent = 0;
  };

  // The whole of a stored tensor.
  Layout(PieceSource source, DType dtype, const Shape& shape);

  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  [[nodiscard]] const std::vector<Piece>& pieces() const noexcept { return pieces_; }
  [[nodiscard]] std::span<const Mode> modes() const noexcept { return modes_; }

  // The operations; operands have been checked against each other when the recipe was built.
  static Layout concat(std::span<Layout> operands, std::size_t axis);
  static Layout stack(std::span<Layout> operands, std::size_t axis);
  void slice(std::size_t axis, std::uint64_t begin, std::uint64_t count);
  void reshape(const Shape& shape);
  void permute(std::span<const std::uint8_t> order);
  void cast(DType dtype);

 private:
  [[nodiscard]] std::size_t first_mode(std::size_t axis) const noexcept;
  [[nodiscard]] std::size_t end_mode(std::size_t axis) const noexcept;
  [[nodiscard]] std::vector<std::uint64_t> boundaries(std::size_t axis) const;
  bool try_refine(std::size_t axis, std::span<const std::uint64_t> wanted);
  void split_mode(std::size_t mode, std::uint64_t inner);
  void merge_modes(std::size_t outer);
  void flatten_axis(std::size_t axis);
  void flatten_all();
  void insert_mode(std::size_t mode, Mode what, Piece::Extent box);
  void make_empty();
  void check_size() const;
  void assign_axes();
  // Gives all operands the same modes on an axis, but for the outermost extent.
  static void unify(std::span<Layout> operands, std::size_t axis);

  Shape shape_;
  std::vector<Mode> modes_;    // by axis, then outermost first; at least one an axis
  std::vector<Piece> pieces_;  // none where the tensor has no elements
};

}  // namespace ballast::plan
