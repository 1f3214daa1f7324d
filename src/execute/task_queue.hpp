// The work of a load, dealt out in file order.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "ballast/catalog.hpp"
#include "execute/reads.hpp"
#include "execute/source_file.hpp"

namespace ballast::execution {

// A part of one large read group, or several small neighbouring groups of one file.
struct Task {
  std::shared_ptr<SourceFile> file;
  std::uint32_t first_group = 0;
  std::uint32_t n_groups = 0;
  std::uint64_t begin = 0, end = 0;  // bytes of the file; all of the groups where there are several
};

// The last multiple of the group's blocks, counted from its first, that is at most `bytes` after `begin`; at least one
// block. Throws Error(invalid_argument) where the group's copies do not share their blocks.
[[nodiscard]] std::uint64_t cut_after(const Reads& reads, const ReadGroup& group, std::uint64_t begin,
                                      std::uint64_t bytes);

// Makes each task when it is asked for, so that the memory it takes does not grow with the plan.
class TaskQueue {
 public:
  TaskQueue(const Catalog& catalog, const Reads& reads, std::uint64_t task_bytes)
      : catalog_(catalog), reads_(reads), task_bytes_(task_bytes) {}

  [[nodiscard]] std::optional<Task> next();

 private:
  [[nodiscard]] Task part_of_group();
  [[nodiscard]] Task several_groups();

  const Catalog& catalog_;
  const Reads& reads_;
  const std::uint64_t task_bytes_;
  std::mutex mutex_;
  std::uint32_t group_ = 0;
  std::uint64_t done_ = 0;            // bytes of that group's range already dealt out
  std::shared_ptr<SourceFile> file_;  // of the task dealt out last
};

}  // namespace ballast::execution
