// One thread's part of a load.
//
// Each task is a range of a file. A read group's part of it goes one of two ways. Direct: where no copy converts, runs
// are long and contiguous on both sides, and no byte is needed twice, the file is read straight into the final places.
// Staged: everywhere else, what is needed is read into a buffer, each byte once, and placed from there for each copy
// that wants it. A group's copies may be those of several plans, and so fill several arenas. Reads of both ways that
// are neighbours in the file share system calls; gaps are never read.
#pragma once

#include <cstdint>
#include <vector>

#include "execute/control.hpp"
#include "execute/placer.hpp"
#include "execute/read_batch.hpp"
#include "execute/reads.hpp"
#include "execute/strided_copy.hpp"
#include "execute/task_queue.hpp"
#include "execute/unit_map.hpp"

namespace ballast::execution {

// The sizes that a load works with. Tests make them small, to have many boundaries in little data.
struct Sizes {
  std::uint64_t task_bytes = 8ULL << 20;
  std::uint64_t staging_bytes = 1ULL << 20;  // of one thread: what was read is placed while the cache still has it
  std::uint64_t least_direct_run = 512;      // bytes: below, a part of a system call costs more than a copy
};

class Worker {
 public:
  Worker(const Reads& reads, const Sizes& sizes, Control& control, TaskQueue& queue);

  // Until there are no more tasks. What goes wrong is told to `control`.
  void run() noexcept;
  [[nodiscard]] const ExecuteStats& stats() const noexcept { return stats_; }

 private:
  struct Run {
    std::uint64_t offset = 0;  // in the file
    std::uint64_t bytes = 0;
    std::byte* to = nullptr;
  };
  // A stretch of a group whose bytes are, or will be, in the staging buffer.
  struct Staged {
    std::uint32_t group = 0;
    std::uint64_t begin = 0, end = 0;  // bytes of the file
    std::byte* data = nullptr;
  };

  void run_task(const Task& task);
  // False, and nothing is read, where the bytes cannot go straight into place.
  [[nodiscard]] bool read_directly(const ReadGroup& group, std::uint64_t begin, std::uint64_t end);
  [[nodiscard]] bool collect_runs(const ReadGroup& group, std::uint64_t begin, std::uint64_t end);
  void sort_runs();
  void read_staged(std::uint32_t group, std::uint64_t begin, std::uint64_t end);
  void stage(std::uint32_t group, std::uint64_t begin, std::uint64_t end);
  void mark_needed(const ReadGroup& group, std::uint64_t begin, std::uint64_t end);
  // Reads what is still to be read and places all that is staged.
  void finish();
  void place(const Staged& staged);

  const Reads& reads_;
  const Sizes& sizes_;
  Control& control_;
  TaskQueue& queue_;
  ExecuteStats stats_;
  ReadBatch batch_;
  Placer placer_;
  UnitMap needed_;
  Arena staging_;  // made when first needed
  std::uint64_t staging_used_ = 0;
  std::vector<Staged> staged_;
  std::vector<Run> runs_, merged_;
  std::vector<std::size_t> stretches_;
};

}  // namespace ballast::execution
