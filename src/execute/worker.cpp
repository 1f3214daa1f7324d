#include "execute/worker.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <optional>

namespace ballast::execution {
namespace {

// Of what lies in the staging buffer, so that conversions find it at an address like that of any array.
constexpr std::uint64_t kStagedAlignment = 64;

}  // namespace

Worker::Worker(const Reads& reads, const Sizes& sizes, Control& control, TaskQueue& queue)
    : reads_(reads), sizes_(sizes), control_(control), queue_(queue), batch_(control, stats_) {}

void Worker::run() noexcept {
  try {
    for (;;) {
      control_.check();
      const std::optional<Task> task = queue_.next();
      if (!task) return;
      run_task(*task);
    }
  } catch (const Stopped&) {  // another thread has said why
  } catch (...) {
    control_.fail(std::current_exception());
  }
}

void Worker::run_task(const Task& task) {
  batch_.start(task.file->opened());
  for (std::uint32_t i = 0; i != task.n_groups; ++i) {
    const std::uint32_t index = task.first_group + i;
    const ReadGroup& group = reads_.groups()[index];
    const std::uint64_t begin = std::max(group.begin, task.begin);
    const std::uint64_t end = std::min(group.end, task.end);
    if (!read_directly(group, begin, end)) read_staged(index, begin, end);
  }
  finish();
}

bool Worker::read_directly(const ReadGroup& group, std::uint64_t begin, std::uint64_t end) {
  if (!collect_runs(group, begin, end)) return false;
  sort_runs();
  const auto overlap = [](const Run& a, const Run& b) { return a.offset + a.bytes > b.offset; };
  if (std::adjacent_find(runs_.begin(), runs_.end(), overlap) != runs_.end()) return false;
  for (const Run& run : runs_) batch_.add(run.offset, run.to, run.bytes, Route::direct);
  return true;
}

bool Worker::collect_runs(const ReadGroup& group, std::uint64_t begin, std::uint64_t end) {
  runs_.clear();
  // There cannot be more long runs than this, and one cut off at either end, without an overlap.
  const std::uint64_t most = (end - begin) / sizes_.least_direct_run + 2;
  for (std::uint32_t i = 0; i != group.n_copies; ++i) {
    const auto [planned, block] = reads_[group.first_copy + i];
    if (planned.converts()) return false;
    const StridedCopy copy(planned);
    if (!copy.touches(begin, end)) continue;
    const std::uint64_t unit = copy.block_bytes;
    if (copy.run_units() * unit < sizes_.least_direct_run) return false;
    std::byte* const target = block + copy.dst_base;
    bool fits = true;
    copy.for_each_box(copy.unit_at(begin), copy.unit_at(end), [&](const Box& box) {
      std::uint64_t n = 1;
      for (const CopyDim& loop : box.loops()) n *= loop.count;
      fits = fits && n * unit <= end - begin;  // more than there are bytes: the loops take some twice
      if (!fits) return;
      for_each_run(box, [&](std::uint64_t src, std::uint64_t dst, std::uint64_t units) {
        runs_.push_back({copy.src_base + src * unit, units * unit, target + dst * unit});
      });
      fits = runs_.size() <= most;
    });
    if (!fits) return false;
  }
  return true;
}

// By offset. Each copy's runs come in order: the columns of several ranks are as many ascending stretches, which are
// merged two by two.
void Worker::sort_runs() {
  const auto earlier = [](const Run& a, const Run& b) { return a.offset < b.offset; };
  stretches_.assign(1, 0);
  for (std::size_t i = 1; i < runs_.size(); ++i)
    if (earlier(runs_[i], runs_[i - 1])) stretches_.push_back(i);
  while (stretches_.size() > 1) {
    merged_.clear();
    const auto at = [&](std::size_t stretch) {
      const std::size_t i = stretch < stretches_.size() ? stretches_[stretch] : runs_.size();
      return runs_.begin() + static_cast<std::ptrdiff_t>(i);
    };
    for (std::size_t i = 0; i < stretches_.size(); i += 2)
      std::merge(at(i), at(i + 1), at(i + 1), at(i + 2), std::back_inserter(merged_), earlier);
    runs_.swap(merged_);
    for (std::size_t i = 0; i < stretches_.size(); i += 2) stretches_[i / 2] = stretches_[i];
    stretches_.resize((stretches_.size() + 1) / 2);
  }
}

// Cut into what the staging buffer holds. Small groups share it; a group that does not fit into what is left gets all.
void Worker::read_staged(std::uint32_t group, std::uint64_t begin, std::uint64_t end) {
  if (staging_.size() == 0) staging_ = Arena(sizes_.staging_bytes);
  while (begin != end) {
    if (end - begin > staging_.size() - staging_used_) finish();
    const std::uint64_t cut =
        end - begin <= staging_.size() ? end : cut_after(reads_, reads_.groups()[group], begin, staging_.size());
    stage(group, begin, std::min(cut, end));
    begin = std::min(cut, end);
  }
}

void Worker::stage(std::uint32_t group_index, std::uint64_t begin, std::uint64_t end) {
  const ReadGroup& group = reads_.groups()[group_index];
  std::byte* const data = staging_.data() + staging_used_;
  mark_needed(group, begin, end);
  const std::uint64_t block = info(reads_.first_copy(group).from).block_bytes;
  needed_.for_each_extent([&](std::uint64_t first, std::uint64_t blocks) {
    batch_.add(begin + first * block, data + first * block, blocks * block, Route::staged);
  });
  staged_.push_back({group_index, begin, end, data});
  const std::uint64_t used = staging_used_ + (end - begin) + kStagedAlignment - 1;
  staging_used_ = std::min(used / kStagedAlignment * kStagedAlignment, staging_.size());
}

void Worker::mark_needed(const ReadGroup& group, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t block_bytes = info(reads_.first_copy(group).from).block_bytes;
  needed_.reset((end - begin + block_bytes - 1) / block_bytes);
  for (std::uint32_t i = 0; i != group.n_copies; ++i) {
    const StridedCopy copy(reads_[group.first_copy + i].copy);
    if (!copy.touches(begin, end)) continue;
    // Where the source begins after the stretch does, its first block is not the map's first.
    const std::uint64_t blocks_before = copy.src_base > begin ? (copy.src_base - begin) / block_bytes : 0;
    const std::uint64_t first_block = copy.unit_at(begin) / copy.block_units;
    copy.for_each_box(copy.unit_at(begin), copy.unit_at(end), [&](const Box& box) {
      for_each_source_run(box, [&](std::uint64_t src, std::uint64_t units) {
        const std::uint64_t first = src / copy.block_units;
        const std::uint64_t last = (src + units - 1) / copy.block_units;
        needed_.mark(first - first_block + blocks_before, last - first + 1);
      });
    });
  }
}

void Worker::finish() {
  batch_.flush();
  const auto started = std::chrono::steady_clock::now();
  for (const Staged& staged : staged_) place(staged);
  if (!staged_.empty())
    stats_.seconds_placing += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  staged_.clear();
  staging_used_ = 0;
}

void Worker::place(const Staged& staged) {
  const ReadGroup& group = reads_.groups()[staged.group];
  for (std::uint32_t i = 0; i != group.n_copies; ++i) {
    const auto [planned, target] = reads_[group.first_copy + i];
    const StridedCopy copy(planned);
    if (!copy.touches(staged.begin, staged.end)) continue;
    const std::uint64_t skipped = copy.src_base > staged.begin ? copy.src_base - staged.begin : 0;
    const SourceView source{staged.data + skipped, copy.unit_at(staged.begin)};
    copy.for_each_box(copy.unit_at(staged.begin), copy.unit_at(staged.end),
                      [&, to = target](const Box& box) { placer_.place(copy, box, source, to); });
  }
}

}  // namespace ballast::execution
