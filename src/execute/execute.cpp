#include "ballast/execute.hpp"

#include <algorithm>
#include <iterator>
#include <list>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "execute/custom_steps.hpp"
#include "execute/engine.hpp"

namespace ballast {
namespace execution {
namespace {

constexpr unsigned kMostThreadsByDefault = 16;
constexpr std::uint64_t kLeastTaskBytes = 64ULL << 10;
constexpr std::uint64_t kLeastStagingBytes = 64ULL << 10;
// Enough for threads to end at about the same time.
constexpr std::uint64_t kTasksPerThread = 8;

// A wrong file is told before any is read. None stays open: a checkpoint may have more files than a process may open.
void check_files(const Catalog& catalog, const Reads& reads) {
  std::uint32_t checked = kNoIndex;
  for (const ReadGroup& group : reads.groups()) {
    if (group.file == checked) continue;
    checked = group.file;
    (void)open_unchanged(catalog, checked);
  }
}

// The calling thread works too. Threads that cannot be had are done without. Returns how many there were.
unsigned run_workers(std::list<Worker>& workers) {
  std::vector<std::jthread> threads;
  threads.reserve(workers.size());
  try {
    for (auto worker = std::next(workers.begin()); worker != workers.end(); ++worker)
      threads.emplace_back([worker] { worker->run(); });
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
  workers.front().run();
  return static_cast<unsigned>(threads.size()) + 1;
}

ExecuteStats sum(const std::list<Worker>& workers) {
  ExecuteStats all;
  for (const Worker& worker : workers) {
    const ExecuteStats& one = worker.stats();
    all.bytes_read += one.bytes_read;
    all.read_calls += one.read_calls;
    all.bytes_direct += one.bytes_direct;
    all.bytes_staged += one.bytes_staged;
    all.seconds_reading += one.seconds_reading;
    all.seconds_placing += one.seconds_placing;
  }
  return all;
}

}  // namespace

ExecuteStats execute_with(const Catalog& catalog, const JointReads* joint, std::span<const ExecuteTarget> targets,
                          const ExecuteOptions& options, unsigned threads, const Sizes& sizes) {
  std::vector<Arena> scratch;
  std::vector<PlanMemory> memory;
  for (const ExecuteTarget& target : targets) {
    scratch.emplace_back(target.plan->scratch_bytes);
    memory.push_back({target.plan, target.arena, scratch.back().data()});
  }
  const Reads reads = joint == nullptr ? Reads(memory.front()) : Reads(*joint, memory);
  Control control(options, reads.bytes_needed());
  control.check();
  check_files(catalog, reads);
  TaskQueue queue(catalog, reads, sizes.task_bytes);
  std::list<Worker> workers;
  for (unsigned i = 0; i != threads; ++i) workers.emplace_back(reads, sizes, control, queue);
  const unsigned had = run_workers(workers);
  control.rethrow_if_failed();
  // From here on every copy from a file is in its place.
  for (const PlanMemory& one : memory) run_custom_steps(one, control);
  control.report_end();
  ExecuteStats stats = sum(workers);
  stats.threads = had;
  return stats;
}

namespace {

// With sizes by the machine and by how much there is to read.
ExecuteStats execute_sized(const Catalog& catalog, const JointReads* joint, std::span<const ExecuteTarget> targets,
                           std::uint64_t bytes_needed, const ExecuteOptions& options) {
  unsigned threads = options.threads;
  if (threads == 0) threads = std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreadsByDefault);
  Sizes sizes;
  sizes.task_bytes = std::clamp(bytes_needed / (threads * kTasksPerThread), kLeastTaskBytes, sizes.task_bytes);
  // No more threads than there is work for.
  threads = static_cast<unsigned>(std::clamp<std::uint64_t>(bytes_needed / sizes.task_bytes, 1, threads));
  sizes.staging_bytes = std::clamp(options.staging_bytes / threads, kLeastStagingBytes, sizes.staging_bytes);
  return execute_with(catalog, joint, targets, options, threads, sizes);
}

}  // namespace
}  // namespace execution

ExecuteStats execute(const Catalog& catalog, const Plan& plan, std::byte* arena, const ExecuteOptions& options) {
  const ExecuteTarget only{&plan, arena};
  return execution::execute_sized(catalog, nullptr, {&only, 1}, plan.bytes_needed, options);
}

ExecuteStats execute(const Catalog& catalog, const JointReads& reads, std::span<const ExecuteTarget> targets,
                     const ExecuteOptions& options) {
  return execution::execute_sized(catalog, &reads, targets, reads.bytes_needed, options);
}

}  // namespace ballast
