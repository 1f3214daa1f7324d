// The reads of several plans, made one: their copies are in the order of the files already, and are merged.
#include <functional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "ballast/plan.hpp"
#include "plan/distinct_bytes.hpp"
#include "plan/groups.hpp"

namespace ballast {

namespace {

// The next copy of one plan.
struct Head {
  std::uint32_t file = 0;
  std::uint64_t begin = 0, end = 0;  // bytes of the file
  JointReads::CopyOf copy;

  // Turned round: a priority queue has its greatest on top.
  friend bool operator<(const Head& a, const Head& b) {
    return std::tie(a.file, a.begin, a.end, a.copy.plan) > std::tie(b.file, b.begin, b.end, b.copy.plan);
  }
};

Head head_of(std::span<const Plan* const> plans, JointReads::CopyOf at) {
  const Copy& copy = plans[at.plan]->copies[at.copy];
  return {copy.file, copy.file_begin(), copy.file_end(), at};
}

}  // namespace

JointReads join_reads(std::span<const Plan* const> plans) {
  JointReads reads;
  std::vector<Head> first;
  std::size_t total = 0;
  for (std::uint32_t p = 0; p < plans.size(); ++p) {
    total += plans[p]->copies.size();
    if (!plans[p]->copies.empty()) first.push_back(head_of(plans, {p, 0}));
  }
  reads.copies.reserve(total);
  std::priority_queue<Head> heads(std::less<Head>(), std::move(first));
  while (!heads.empty()) {
    const Head next = heads.top();
    heads.pop();
    plan::add_to_groups(reads.groups,
                        {next.file, static_cast<std::uint32_t>(reads.copies.size()), 1, next.begin, next.end});
    const JointReads::CopyOf at = next.copy;
    reads.copies.push_back(at);
    if (at.copy + 1 < plans[at.plan]->copies.size()) heads.push(head_of(plans, {at.plan, at.copy + 1}));
  }

  plan::DistinctBytes distinct;
  std::vector<const Copy*> copies;
  for (const ReadGroup& group : reads.groups) {
    copies.clear();
    for (std::uint32_t i = 0; i < group.n_copies; ++i) {
      const JointReads::CopyOf at = reads.copies[group.first_copy + i];
      copies.push_back(&plans[at.plan]->copies[at.copy]);
    }
    reads.bytes_needed += distinct.of(copies);
  }
  return reads;
}

}  // namespace ballast
