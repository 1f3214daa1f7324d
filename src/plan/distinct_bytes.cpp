#include "plan/distinct_bytes.hpp"

#include <algorithm>

namespace ballast::plan {

bool is_one_run(const Copy& copy) noexcept {
  return copy.elements() == copy.run_elements() && copy.run_is_contiguous_in_target();
}

std::uint64_t bytes_of(DType dtype, std::uint64_t elements) noexcept {
  const DTypeInfo& type = info(dtype);
  return (elements + type.block_elements - 1) / type.block_elements * type.block_bytes;
}

std::uint64_t DistinctBytes::Footprint::span_from(std::size_t loop) const noexcept {
  std::uint64_t bytes = run;
  for (; loop < n_loops; ++loop) bytes += (loops[loop].count - 1) * loops[loop].stride;
  return bytes;
}

std::uint64_t DistinctBytes::of(std::span<const Copy* const> copies) {
  const Copy& first = *copies.front();
  if (copies.size() == 1 && is_one_run(first)) return first.file_end() - first.file_begin();
  if (copies.size() == 1 && info(first.from).block_elements == 1) return bytes_of(first.from, first.elements());
  prints_.clear();
  for (const Copy* copy : copies) add(*copy);
  return count(prints_);
}

void DistinctBytes::add(const Copy& copy) {
  const DTypeInfo& type = info(copy.from);
  const std::uint64_t block = type.block_elements;
  const std::uint64_t run = copy.run_elements();
  const std::size_t n = copy.n_dims - (run > 1 ? 1U : 0U);
  for (std::size_t i = 0; i < n; ++i)
    if (copy.dims[i].src_stride % block != 0) return add_runs(copy, 0, copy.src_begin);  // no two runs lie alike
  Footprint print;
  print.begin = copy.src_base + copy.src_begin / block * type.block_bytes;
  print.run = ((copy.src_begin % block + run - 1) / block + 1) * type.block_bytes;
  for (std::size_t i = 0; i < n; ++i)
    print.loops[print.n_loops++] = {copy.dims[i].count, copy.dims[i].src_stride / block * type.block_bytes};
  for (; print.n_loops > 0 && print.loops[print.n_loops - 1U].stride == print.run; --print.n_loops)
    print.run *= print.loops[print.n_loops - 1U].count;
  prints_.push_back(print);
}

// A footprint for each run.
void DistinctBytes::add_runs(const Copy& copy, std::size_t dim, std::uint64_t at) {
  const std::uint64_t run = copy.run_elements();
  if (dim == copy.n_dims - (run > 1 ? 1U : 0U)) {
    const DTypeInfo& type = info(copy.from);
    Footprint print;
    print.begin = copy.src_base + at / type.block_elements * type.block_bytes;
    print.run = copy.src_base + ((at + run - 1) / type.block_elements + 1) * type.block_bytes - print.begin;
    prints_.push_back(print);
    return;
  }
  for (std::uint64_t i = 0; i < copy.dims[dim].count; ++i) add_runs(copy, dim + 1, at + i * copy.dims[dim].src_stride);
}

std::uint64_t DistinctBytes::count(std::span<Footprint> prints) {
  std::sort(prints.begin(), prints.end(), [](const Footprint& a, const Footprint& b) { return a.begin < b.begin; });
  std::uint64_t total = 0;
  for (std::size_t first = 0; first < prints.size();) {
    std::uint64_t end = prints[first].end();
    std::size_t n = 1;
    for (; first + n < prints.size() && prints[first + n].begin < end; ++n)
      end = std::max(end, prints[first + n].end());
    total += count_overlapping(prints.subspan(first, n));
    first += n;
  }
  return total;
}

// Of footprints that reach into one another, by where they begin.
std::uint64_t DistinctBytes::count_overlapping(std::span<Footprint> prints) {
  std::uint64_t end = 0;
  for (const Footprint& print : prints) end = std::max(end, print.end());
  const std::uint64_t begin = prints.front().begin;
  for (const Footprint& print : prints)
    if (print.is_run() && (print.run == end - begin || prints.size() == 1)) return print.run;
  // The same loop around all of them, each of whose turns ends before the next begins: all turns are alike.
  const Footprint& first = prints.front();
  bool alike = true;
  for (const Footprint& print : prints)
    alike = alike && !print.is_run() && print.outer() == first.outer() &&
            print.begin + print.span_from(print.first_loop + 1U) - begin <= first.outer().stride;
  if (!alike) return count_runs(prints);
  const std::uint64_t turns = first.outer().count;
  for (Footprint& print : prints) ++print.first_loop;
  return turns * count(prints);
}

std::uint64_t DistinctBytes::count_runs(std::span<const Footprint> prints) {
  ranges_.clear();
  for (const Footprint& print : prints) list_runs(print, print.first_loop, print.begin);
  std::sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  std::uint64_t total = 0, end = 0;
  for (const Range& range : ranges_) {
    if (range.end <= end) continue;
    total += range.end - std::max(range.begin, end);
    end = range.end;
  }
  return total;
}

void DistinctBytes::list_runs(const Footprint& print, std::size_t loop, std::uint64_t begin) {
  if (loop < print.n_loops) {
    for (std::uint64_t i = 0; i < print.loops[loop].count; ++i)
      list_runs(print, loop + 1, begin + i * print.loops[loop].stride);
  } else if (!ranges_.empty() && ranges_.back().end == begin) {
    ranges_.back().end += print.run;
  } else {
    ranges_.push_back({begin, begin + print.run});
  }
}

}  // namespace ballast::plan
