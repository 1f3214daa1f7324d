// Placing: bytes of a copy's source that lie in memory go to their final places, converted on the way.
#pragma once

#include <memory>

#include "execute/strided_copy.hpp"

namespace ballast::execution {

// Consecutive source blocks in memory.
struct SourceView {
  const std::byte* data = nullptr;
  std::uint64_t first_unit = 0;  // the unit that `data` starts with; the first of its block
};

// Keeps its buffers between calls. For one thread.
class Placer {
 public:
  // `target`: the block of memory that dst_base counts from.
  void place(const StridedCopy& copy, const Box& box, const SourceView& source, std::byte* target);

 private:
  struct Buffers;
  struct BuffersDeleter {
    void operator()(Buffers* buffers) const noexcept;
  };

  void move(const StridedCopy& copy, const Box& box, const SourceView& source, std::byte* dst);
  void convert(const StridedCopy& copy, const Box& box, const SourceView& source, std::byte* dst);
  void convert_tile(const StridedCopy& copy, const SourceView& source, std::uint64_t src, std::byte* dst,
                    const CopyDim& across, const CopyDim& along);
  void convert_row(const StridedCopy& copy, const SourceView& source, std::uint64_t src, std::uint64_t stride,
                   std::uint64_t units, std::byte* out);
  void convert_run(const StridedCopy& copy, const SourceView& source, std::uint64_t src, std::uint64_t units,
                   std::byte* out);
  void cast(const Conversion& conversion, const std::byte* from, std::byte* to, std::uint64_t units,
            std::uint32_t block_units, std::uint32_t block_bytes);
  [[nodiscard]] Buffers& buffers();

  std::unique_ptr<Buffers, BuffersDeleter> buffers_;
};

}  // namespace ballast::execution
