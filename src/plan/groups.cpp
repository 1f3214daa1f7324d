#include "plan/groups.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "plan/distinct_bytes.hpp"

namespace ballast::plan {

namespace {

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
      if (kept != i) copies[kept] = copies[i];
      ++kept;
    }
  }
  copies.resize(kept);
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
  for (std::uint32_t i = 0; i < plan.copies.size(); ++i) {
    const Copy& copy = plan.copies[i];
    add_to_groups(plan.groups, {copy.file, i, 1, copy.file_begin(), copy.file_end()});
  }
  plan.bytes_needed = 0;
  DistinctBytes distinct;
  std::vector<const Copy*> copies;
  for (const ReadGroup& group : plan.groups) {
    copies.clear();
    for (std::uint32_t i = 0; i < group.n_copies; ++i) copies.push_back(&plan.copies[group.first_copy + i]);
    plan.bytes_needed += distinct.of(copies);
  }
}

void add_to_groups(std::vector<ReadGroup>& groups, const ReadGroup& one) {
  if (!groups.empty()) {
    ReadGroup& last = groups.back();
    if (last.file == one.file && one.begin < last.end) {
      last.n_copies += one.n_copies;
      last.end = std::max(last.end, one.end);
      return;
    }
  }
  groups.push_back(one);
}

}  // namespace ballast::plan
