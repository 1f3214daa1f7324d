#include "execute/placer.hpp"

#include <cstring>

#include "ballast/execute.hpp"
#include "execute/move.hpp"

namespace ballast {
namespace execution {
namespace {

// Units of a tile that is converted before it is scattered: so many rows of the source, so long.
constexpr std::uint64_t kTileRows = 64;
constexpr std::uint64_t kTileColumns = 256;
constexpr std::uint64_t kTileUnits = kTileRows * kTileColumns;
constexpr std::uint64_t kPiece = 2048;  // units of a piece that goes through several casts; a multiple of every block
constexpr std::size_t kMaxUnitBytes = 8;
constexpr std::size_t kMaxBlockUnits = 256;

const std::byte* at(const StridedCopy& copy, const SourceView& source, std::uint64_t unit) noexcept {
  const std::uint64_t units = unit - source.first_unit;
  return source.data + (copy.block_units == 1 ? units : units / copy.block_units) * copy.block_bytes;
}

// Which loop, besides the innermost, runs along the target: tiles across these two use whole cache lines of both
// sides. Taken out of `loops`; one turn that does nothing where there is none.
CopyDim take_loop_across(Box& loops, const CopyDim& along) {
  std::size_t best = loops.n_dims;
  for (std::size_t i = 0; i != loops.n_dims; ++i) {
    const std::uint64_t least = best == loops.n_dims ? along.dst_stride : loops.dims[best].dst_stride;
    if (loops.dims[i].dst_stride < least) best = i;
  }
  if (best == loops.n_dims) return {1, 0, 0};
  const CopyDim across = loops.dims[best];
  std::copy(loops.dims.begin() + static_cast<std::ptrdiff_t>(best) + 1, loops.dims.begin() + loops.n_dims,
            loops.dims.begin() + static_cast<std::ptrdiff_t>(best));
  --loops.n_dims;
  return across;
}

}  // namespace

struct Placer::Buffers {
  std::byte tile[kTileUnits * kMaxUnitBytes];
  std::byte gathered[kTileUnits * kMaxUnitBytes];
  std::byte block[kMaxBlockUnits * kMaxUnitBytes];
  std::byte between[2][kPiece * kMaxUnitBytes];
};

void Placer::BuffersDeleter::operator()(Buffers* buffers) const noexcept { delete buffers; }

Placer::Buffers& Placer::buffers() {
  if (buffers_ == nullptr) buffers_.reset(new Buffers);  // not value-initialised: nothing is read before it is written
  return *buffers_;
}

void Placer::place(const StridedCopy& copy, const Box& box, const SourceView& source, std::byte* target) {
  if (copy.conversion.n == 0) return move(copy, box, source, target + copy.dst_base);
  convert(copy, box, source, target + copy.dst_base);
}

void Placer::move(const StridedCopy& copy, const Box& box, const SourceView& source, std::byte* dst) {
  std::uint64_t run = 1;
  Box loops = box;
  for (; loops.n_dims != 0; --loops.n_dims) {
    const CopyDim& loop = loops.dims[loops.n_dims - 1U];
    if (loop.src_stride != run || loop.dst_stride != run) break;
    run *= loop.count;
  }
  const std::uint64_t unit = copy.block_bytes;
  CopyDim along{1, 0, 0};
  if (loops.n_dims != 0) along = loops.dims[--loops.n_dims];
  const CopyDim across = take_loop_across(loops, along);
  const MoveLoop outer{across.count, across.src_stride * unit, across.dst_stride * unit};
  const MoveLoop inner{along.count, along.src_stride * unit, along.dst_stride * unit};
  const auto tile = [&](std::uint64_t src_unit, std::uint64_t dst_unit) {
    move_units(at(copy, source, src_unit), dst + dst_unit * unit, run * unit, outer, inner);
  };
  for_each_offset(loops.loops(), loops.src, loops.dst, tile);
}

void Placer::convert(const StridedCopy& copy, const Box& box, const SourceView& source, std::byte* dst) {
  Box loops = box;
  CopyDim along{1, 1, 1};
  if (loops.n_dims != 0) along = loops.dims[--loops.n_dims];
  if (along.src_stride == 1 && along.dst_stride == 1) {
    const auto run = [&](std::uint64_t src_unit, std::uint64_t dst_unit) {
      convert_run(copy, source, src_unit, along.count, dst + dst_unit * copy.dst_unit_bytes);
    };
    return for_each_offset(loops.loops(), loops.src, loops.dst, run);
  }
  const CopyDim across = take_loop_across(loops, along);
  const std::uint64_t columns = across.count == 1 ? kTileUnits : kTileColumns;
  const auto tiles = [&](std::uint64_t src_unit, std::uint64_t dst_unit) {
    for (std::uint64_t column = 0; column < along.count; column += columns) {
      const CopyDim some_along{std::min(columns, along.count - column), along.src_stride, along.dst_stride};
      for (std::uint64_t row = 0; row < across.count; row += kTileRows) {
        const CopyDim some_across{std::min(kTileRows, across.count - row), across.src_stride, across.dst_stride};
        const std::uint64_t first = dst_unit + row * across.dst_stride + column * along.dst_stride;
        convert_tile(copy, source, src_unit + row * across.src_stride + column * along.src_stride,
                     dst + first * copy.dst_unit_bytes, some_across, some_along);
      }
    }
  };
  for_each_offset(loops.loops(), loops.src, loops.dst, tiles);
}

void Placer::convert_tile(const StridedCopy& copy, const SourceView& source, std::uint64_t src, std::byte* dst,
                          const CopyDim& across, const CopyDim& along) {
  const std::uint64_t unit = copy.dst_unit_bytes;
  const std::uint64_t row_bytes = along.count * unit;
  std::byte* const tile = buffers().tile;
  for (std::uint64_t row = 0; row != across.count; ++row)
    convert_row(copy, source, src + row * across.src_stride, along.src_stride, along.count, tile + row * row_bytes);
  move_units(tile, dst, unit, {across.count, row_bytes, across.dst_stride * unit},
             {along.count, unit, along.dst_stride * unit});
}

void Placer::convert_row(const StridedCopy& copy, const SourceView& source, std::uint64_t src, std::uint64_t stride,
                         std::uint64_t units, std::byte* out) {
  if (stride == 1) return convert_run(copy, source, src, units, out);
  if (copy.block_units == 1) {
    std::byte* const gathered = buffers().gathered;
    move_units(at(copy, source, src), gathered, copy.block_bytes, {},
               {units, stride * copy.block_bytes, copy.block_bytes});
    return cast(copy.conversion, gathered, out, units, 1, copy.block_bytes);
  }
  for (std::uint64_t i = 0; i != units; ++i)
    convert_run(copy, source, src + i * stride, 1, out + i * copy.dst_unit_bytes);
}

// A run that does not begin or end at a block decodes the blocks around its ends into a buffer and takes its part.
void Placer::convert_run(const StridedCopy& copy, const SourceView& source, std::uint64_t src, std::uint64_t units,
                         std::byte* out) {
  const std::uint64_t block = copy.block_units;
  while (units != 0) {
    const std::uint64_t skipped = block == 1 ? 0 : src % block;
    std::uint64_t done = units - (block == 1 ? 0 : units % block);
    if (skipped == 0 && done != 0) {
      cast(copy.conversion, at(copy, source, src), out, done, copy.block_units, copy.block_bytes);
    } else {
      std::byte* const decoded = buffers().block;
      cast(copy.conversion, at(copy, source, src), decoded, block, copy.block_units, copy.block_bytes);
      done = std::min(units, block - skipped);
      std::memcpy(out, decoded + skipped * copy.dst_unit_bytes, done * copy.dst_unit_bytes);
    }
    src += done;
    units -= done;
    out += done * copy.dst_unit_bytes;
  }
}

// Whole blocks. Casts in a row go through two small buffers in turn, a piece at a time.
void Placer::cast(const Conversion& conversion, const std::byte* from, std::byte* to, std::uint64_t units,
                  std::uint32_t block_units, std::uint32_t block_bytes) {
  if (conversion.n == 1) return conversion.kernels[0](from, to, units);
  auto& between = buffers().between;
  const std::size_t last = conversion.n - 1U;
  for (std::uint64_t done = 0; done != units;) {
    const std::uint64_t piece = std::min(kPiece, units - done);
    conversion.kernels[0](from + done / block_units * block_bytes, between[0], piece);
    for (std::size_t i = 1; i != last; ++i) conversion.kernels[i](between[(i - 1) % 2], between[i % 2], piece);
    conversion.kernels[last](between[(last - 1) % 2], to + done * conversion.result_bytes[last], piece);
    done += piece;
  }
}

}  // namespace execution

void place(const Copy& copy, const std::byte* source, std::byte* target) {
  const execution::StridedCopy strided(copy);
  if (strided.empty) return;
  execution::Placer{}.place(strided, strided.whole, {source, 0}, target);
}

}  // namespace ballast
