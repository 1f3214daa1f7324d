#include "execute/task_queue.hpp"

#include <algorithm>
#include <utility>

#include "ballast/error.hpp"

namespace ballast::execution {
namespace {

constexpr std::uint32_t kMostGroups = 4096;

[[noreturn]] void refuse_unlike_blocks(const Copy& copy) {
  Diagnostic fault;
  fault.code = Errc::invalid_argument;
  fault.what = "a plan reads copies together that do not share their elements' boundaries";
  fault.operation = "load";
  fault.got = name(copy.from);
  throw Error(std::move(fault));
}

}  // namespace

std::uint64_t cut_after(const Reads& reads, const ReadGroup& group, std::uint64_t begin, std::uint64_t bytes) {
  const Copy& first = reads.first_copy(group);
  const std::uint64_t block = info(first.from).block_bytes;
  for (std::uint32_t i = 1; i < group.n_copies; ++i) {
    const Copy& copy = reads[group.first_copy + i].copy;
    if (info(copy.from).block_bytes != block || copy.src_base % block != first.src_base % block)
      refuse_unlike_blocks(copy);
  }
  return std::min(group.end, begin + std::max(bytes / block, std::uint64_t{1}) * block);
}

std::optional<Task> TaskQueue::next() {
  const std::lock_guard lock(mutex_);
  if (group_ >= reads_.groups().size()) {
    file_.reset();
    return std::nullopt;
  }
  const ReadGroup& group = reads_.groups()[group_];
  if (file_ == nullptr || file_->index() != group.file) file_ = std::make_shared<SourceFile>(catalog_, group.file);
  return group.end - group.begin > task_bytes_ ? part_of_group() : several_groups();
}

Task TaskQueue::part_of_group() {
  const ReadGroup& group = reads_.groups()[group_];
  const std::uint64_t begin = group.begin + done_;
  const std::uint64_t end = cut_after(reads_, group, begin, task_bytes_);
  Task task{file_, group_, 1, begin, end};
  done_ += end - begin;
  if (end == group.end) {
    ++group_;
    done_ = 0;
  }
  return task;
}

Task TaskQueue::several_groups() {
  const ReadGroup& first = reads_.groups()[group_];
  Task task{file_, group_, 0, first.begin, first.end};
  std::uint64_t bytes = 0;
  for (; group_ != reads_.groups().size() && task.n_groups != kMostGroups; ++group_, ++task.n_groups) {
    const ReadGroup& group = reads_.groups()[group_];
    bytes += group.end - group.begin;
    if (group.file != first.file || bytes > task_bytes_) break;
    task.end = group.end;
  }
  return task;
}

}  // namespace ballast::execution
