#include "plan/groups.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ballast::plan {

namespace {

bool is_one_run(const Copy& copy) {
  return copy.elements() == copy.run_elements() && copy.run_is_contiguous_in_target();
}

std::uint64_t bytes_of(DType dtype, std::uint64_t elements) {
  const DTypeInfo& type = info(dtype);
  return (elements + type.block_elements - 1) / type.block_elements * type.block_bytes;
}

bool starts_on_block(const Copy& copy) { return copy.src_begin % info(copy.from).block_elements == 0; }

// Whether `b` goes on where `a` ends, in the file and in the target.
bool continues(const Copy& a, const Copy& b) {
  if (a.file != b.file || a.from != b.from || a.to != b.to || a.n_via != b.n_via || a.via != b.via ||
      a.to_scratch != b.to_scratch || !is_one_run(a) || !is_one_run(b) || !starts_on_block(a) || !starts_on_block(b))
    return false;
  const std::uint64_t from_block = info(a.from).block_elements, to_block = info(a.to).block_elements;
  if (a.elements() % from_block != 0 || a.dst_begin % to_block != 0 || b.dst_begin % to_block != 0) return false;
  return a.file_end() == b.file_begin() && a.dst_base + bytes_of(a.to, a.dst_begin) + bytes_of(a.to, a.elements()) ==
                                               b.dst_base + bytes_of(b.to, b.dst_begin);
}

void join(std::vector<Copy>& copies) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    if (kept > 0 && continues(copies[kept - 1], copies[i])) {
      Copy& last = copies[kept - 1];
      last.dims[0] = {last.elements() + copies[i].elements(), 1, 1};
      last.n_dims = 1;
    } else {
      copies[kept++] = copies[i];
    }
  }
  copies.resize(kept);
}

// Every run of a copy as a range of bytes of the file.
template <class Visit>
void for_each_range(const Copy& copy, std::size_t dim, std::uint64_t at, const Visit& visit) {
  const std::uint64_t run = copy.run_elements();
  const std::size_t outer = copy.n_dims - (run > 1 ? 1U : 0U);
  if (dim == outer) {
    const DTypeInfo& type = info(copy.from);
    visit(copy.src_base + at / type.block_elements * type.block_bytes,
          copy.src_base + ((at + run - 1) / type.block_elements + 1) * type.block_bytes);
    return;
  }
  for (std::uint64_t i = 0; i < copy.dims[dim].count; ++i)
    for_each_range(copy, dim + 1, at + i * copy.dims[dim].src_stride, visit);
}

// The distinct bytes that some copies of one group need.
std::uint64_t distinct_bytes(const Copy* copies, std::size_t n) {
  const bool whole_elements = info(copies[0].from).block_elements == 1;
  if (n == 1 && (whole_elements || is_one_run(copies[0])))
    return is_one_run(copies[0]) ? copies[0].file_end() - copies[0].file_begin()
                                 : bytes_of(copies[0].from, copies[0].elements());
  using Range = std::pair<std::uint64_t, std::uint64_t>;
  std::vector<Range> ranges;
  for (std::size_t i = 0; i < n; ++i)
    for_each_range(copies[i], 0, copies[i].src_begin, [&](std::uint64_t begin, std::uint64_t end) {
      if (!ranges.empty() && ranges.back().second == begin)
        ranges.back().second = end;
      else
        ranges.emplace_back(begin, end);
    });
  std::sort(ranges.begin(), ranges.end());
  std::uint64_t total = 0, end = 0;
  for (const Range& range : ranges) {
    if (range.second <= end) continue;
    total += range.second - std::max(range.first, end);
    end = range.second;
  }
  return total;
}

}  // namespace

void order_by_file(Plan& plan) {
  std::vector<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, std::uint32_t>> order;
  order.reserve(plan.copies.size());
  for (std::uint32_t i = 0; i < plan.copies.size(); ++i)
    order.emplace_back(plan.copies[i].file, plan.copies[i].file_begin(), plan.copies[i].file_end(), i);
  std::sort(order.begin(), order.end());
  std::vector<Copy> sorted;
  sorted.reserve(order.size());
  for (const auto& entry : order) sorted.push_back(plan.copies[std::get<3>(entry)]);
  join(sorted);
  plan.copies = std::move(sorted);

  plan.groups.clear();
  plan.bytes_needed = 0;
  for (std::uint32_t i = 0; i < plan.copies.size(); ++i) {
    const Copy& copy = plan.copies[i];
    if (!plan.groups.empty()) {
      ReadGroup& last = plan.groups.back();
      if (last.file == copy.file && copy.file_begin() < last.end) {
        ++last.n_copies;
        last.end = std::max(last.end, copy.file_end());
        continue;
      }
    }
    plan.groups.push_back({copy.file, i, 1, copy.file_begin(), copy.file_end()});
  }
  for (const ReadGroup& group : plan.groups)
    plan.bytes_needed += distinct_bytes(&plan.copies[group.first_copy], group.n_copies);
}

}  // namespace ballast::plan
