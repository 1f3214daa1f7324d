#include "plan/ties.hpp"

#include <algorithm>
#include <unordered_map>

#include "plan/distinct_bytes.hpp"

namespace ballast::plan {

namespace {

struct CopyRange {
  std::size_t begin = 0, end = 0;  // into Plan::copies
};

// The copies of each tensor; they stand together, in the order of the tensors.
std::vector<CopyRange> copies_by_tensor(const Plan& plan) {
  std::vector<CopyRange> ranges(plan.tensors.size());
  for (std::size_t i = 0; i < plan.copies.size(); ++i) {
    if (plan.copies[i].to_scratch) continue;
    CopyRange& range = ranges[plan.copies[i].target];
    if (range.begin == range.end) range.begin = i;
    range.end = i + 1;
  }
  return ranges;
}

bool same_conversion(const Copy& a, const Copy& b) {
  return a.from == b.from && a.to == b.to && a.n_via == b.n_via && a.via == b.via;
}

bool alike(const Copy& a, const Copy& b) {
  return a.source == b.source && a.src_begin == b.src_begin && a.dst_begin == b.dst_begin && same_conversion(a, b) &&
         a.n_dims == b.n_dims && a.dims == b.dims;
}

class AliasFinder {
 public:
  explicit AliasFinder(Plan& plan) : plan_(plan), ranges_(copies_by_tensor(plan)) {}

  void run(std::size_t n_stored) {
    std::vector<std::uint32_t> uses(n_stored, 0);
    for (const Copy& copy : plan_.copies) ++uses[copy.source];
    const std::vector<bool> custom = made_by_custom();
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> candidates;  // by the first source
    for (std::uint32_t t = 0; t < plan_.tensors.size(); ++t) {
      if (ranges_[t].begin == ranges_[t].end || custom[t]) continue;
      const std::uint32_t source = plan_.copies[ranges_[t].begin].source;
      if (uses[source] < 2) continue;
      auto& earlier = candidates[source];
      const bool shared = std::any_of(earlier.begin(), earlier.end(), [&](std::uint32_t u) { return share(t, u); });
      if (!shared) earlier.push_back(t);
    }
    drop_copies();
  }

 private:
  // The tensors that custom operations have a part in: what these make of alike operands need not be alike.
  [[nodiscard]] std::vector<bool> made_by_custom() const {
    std::vector<bool> custom(plan_.tensors.size(), false);
    for (const ScratchCopies& entry : plan_.scratch_copies)
      if (!entry.copy.to_scratch) custom[entry.copy.target] = true;
    return custom;
  }

  // Makes t an alias of u where it can be.
  bool share(std::uint32_t t, std::uint32_t u) {
    if (ranges_[t].end - ranges_[t].begin != ranges_[u].end - ranges_[u].begin) return false;
    if (is_whole_alike(t, u)) return make_alias(t, u, 0);
    const Copy& a = plan_.copies[ranges_[t].begin];
    const Copy& b = plan_.copies[ranges_[u].begin];
    if (ranges_[t].end - ranges_[t].begin != 1 || a.source != b.source || !same_conversion(a, b) || !is_one_run(a) ||
        !is_one_run(b) || info(a.to).block_elements != 1)
      return false;
    if (a.src_begin < b.src_begin || a.src_begin + a.elements() > b.src_begin + b.elements()) return false;
    const std::uint64_t offset = (a.src_begin - b.src_begin) * info(a.to).block_bytes;
    return offset % kArenaAlignment == 0 && make_alias(t, u, offset);
  }

  [[nodiscard]] bool is_whole_alike(std::uint32_t t, std::uint32_t u) const {
    if (plan_.tensors[t].nbytes != plan_.tensors[u].nbytes) return false;
    return std::equal(plan_.copies.begin() + static_cast<std::ptrdiff_t>(ranges_[t].begin),
                      plan_.copies.begin() + static_cast<std::ptrdiff_t>(ranges_[t].end),
                      plan_.copies.begin() + static_cast<std::ptrdiff_t>(ranges_[u].begin), alike);
  }

  bool make_alias(std::uint32_t t, std::uint32_t u, std::uint64_t offset) {
    plan_.tensors[t].alias_of = u;
    plan_.tensors[t].arena_offset = offset;
    return true;
  }

  void drop_copies() {
    std::erase_if(plan_.copies, [&](const Copy& copy) {
      return !copy.to_scratch && plan_.tensors[copy.target].alias_of != kNoIndex;
    });
  }

  Plan& plan_;
  std::vector<CopyRange> ranges_;
};

// Whether a copy alone makes its tensor.
bool is_whole_tensor(const Plan& plan, const Copy& copy) {
  return byte_size(copy.to, copy.elements()) == plan.tensors[copy.target].nbytes;
}

}  // namespace

void share_aliases(Plan& plan, const Catalog& catalog) { AliasFinder(plan).run(catalog.tensors.size()); }

void note_tied_pairs(Plan& plan, const Binding& binding) {
  for (const TiedSources& tied : binding.tied_and_stored) {
    const Copy* head = nullptr;
    const Copy* embedding = nullptr;
    for (const Copy& copy : plan.copies) {
      if (copy.to_scratch || !is_one_run(copy)) continue;
      if (copy.source == tied.head) head = &copy;
      if (copy.source == tied.embedding) embedding = &copy;
    }
    // Only what lies in one piece on both sides is compared, and only a head that is a tensor of its own; a rank may
    // hold a part of the head.
    if (head == nullptr || embedding == nullptr || !same_conversion(*head, *embedding) ||
        !is_whole_tensor(plan, *head) || info(head->to).block_elements != 1 || head->src_begin < embedding->src_begin ||
        head->src_begin + head->elements() > embedding->src_begin + embedding->elements())
      continue;
    TiedPair pair;
    pair.head = head->target;
    pair.embedding = embedding->target;
    pair.embedding_offset =
        (embedding->dst_begin + head->src_begin - embedding->src_begin) * info(head->to).block_bytes;
    plan.tied_pairs.push_back(pair);
  }
}

}  // namespace ballast::plan
