// How many bytes of a file copies need, each counted once.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ballast/plan.hpp"

namespace ballast::plan {

// All elements in a row, on both sides.
[[nodiscard]] bool is_one_run(const Copy& copy) noexcept;

// Of so many elements, in whole blocks.
[[nodiscard]] std::uint64_t bytes_of(DType dtype, std::uint64_t elements) noexcept;

// Column shards of a matrix have a run in every row: what many of them need together is worked out from their loops
// where these are alike, and not run by run. Keeps its memory between calls.
class DistinctBytes {
 public:
  // Of one group: copies of one dtype from one file.
  [[nodiscard]] std::uint64_t of(std::span<const Copy* const> copies);

 private:
  // What a copy needs: runs of bytes, repeated by loops, the outermost first.
  struct Footprint {
    struct Loop {
      std::uint64_t count = 0, stride = 0;
      friend bool operator==(const Loop&, const Loop&) = default;
    };
    std::uint64_t begin = 0;
    std::uint64_t run = 0;
    std::uint8_t first_loop = 0, n_loops = 0;  // those before first_loop have been dealt with
    std::array<Loop, Copy::kMaxDims> loops{};

    [[nodiscard]] bool is_run() const noexcept { return first_loop == n_loops; }
    [[nodiscard]] const Loop& outer() const noexcept { return loops[first_loop]; }
    [[nodiscard]] std::uint64_t span_from(std::size_t loop) const noexcept;  // bytes from its first to past its last
    [[nodiscard]] std::uint64_t end() const noexcept { return begin + span_from(first_loop); }
  };

  void add(const Copy& copy);
  void add_runs(const Copy& copy, std::size_t dim, std::uint64_t at);
  [[nodiscard]] std::uint64_t count(std::span<Footprint> prints);
  [[nodiscard]] std::uint64_t count_overlapping(std::span<Footprint> prints);
  [[nodiscard]] std::uint64_t count_runs(std::span<const Footprint> prints);
  void list_runs(const Footprint& print, std::size_t loop, std::uint64_t begin);

  struct Range {
    std::uint64_t begin = 0, end = 0;
  };
  std::vector<Footprint> prints_;
  std::vector<Range> ranges_;
};

}  // namespace ballast::plan
