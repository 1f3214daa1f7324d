// Running a plan, or several at once: bytes go from the files into their final places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>

#include "ballast/catalog.hpp"
#include "ballast/plan.hpp"

struct iovec;

namespace ballast {

// The one block of memory that holds every final tensor: anonymous pages, zero until written, given back on
// destruction. Movable, not copyable.
class Arena {
 public:
  Arena() = default;
  // Throws Error(out_of_memory), saying how much was asked for and how much the machine has.
  explicit Arena(std::uint64_t bytes);
  ~Arena();
  Arena(Arena&& other) noexcept;
  Arena& operator=(Arena&& other) noexcept;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  [[nodiscard]] std::byte* data() const noexcept { return data_; }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  // Gives the memory of the whole pages within a range back to the system; what was there reads as zero.
  void discard(std::uint64_t offset, std::uint64_t bytes) noexcept;

 private:
  std::byte* data_ = nullptr;
  std::uint64_t size_ = 0;
};

struct Progress {
  std::uint64_t bytes_done = 0;   // read so far
  std::uint64_t bytes_total = 0;  // Plan::bytes_needed, or JointReads::bytes_needed
};

struct ExecuteOptions {
  unsigned threads = 0;                           // 0: one for each core, at most 16
  std::uint64_t staging_bytes = 32ull << 20;      // of all threads together; each uses 64 KiB to 1 MiB
  std::function<void(const Progress&)> progress;  // called from one thread at a time, at most some 20 times a second
                                                  // and once at the end; what it throws ends the load and is rethrown
  std::stop_token cancel;                         // a request stops the load soon: Error(cancelled)
  // The system call that reads; the default is preadv(2), and any other returns as that does (-1 with errno). Called
  // from several threads at a time. Tests put their own here.
  std::function<long(int descriptor, const ::iovec* parts, int count, std::uint64_t offset)> preadv;
};

struct ExecuteStats {
  std::uint64_t bytes_read = 0;  // equals bytes_needed of the plan (or of JointReads): every byte once, and no other
  std::uint64_t read_calls = 0;
  std::uint64_t bytes_direct = 0;  // of bytes_read, those that went straight into place
  std::uint64_t bytes_staged = 0;  // of bytes_read, those that went through the staging ring
  double seconds_reading = 0;      // summed over threads
  double seconds_placing = 0;      // converting and scattering, summed over threads
  unsigned threads = 0;
};

// Fills `arena` (at least Plan::arena_bytes, at any alignment) from the catalog's files. Throws Error: io_open, io_read
// and io_changed name the file and the offset; a file whose size is not what the catalog saw is io_changed before
// anything is read. After a throw the arena's content is undefined. Memory: the arena, Plan::scratch_bytes and the
// staging; nothing that grows with the checkpoint.
ExecuteStats execute(const Catalog& catalog, const Plan& plan, std::byte* arena, const ExecuteOptions& options = {});

// A plan, and the arena that it fills.
struct ExecuteTarget {
  const Plan* plan = nullptr;
  std::byte* arena = nullptr;
};
// Fills the arenas of several plans in one pass over the files: `reads` is what join_reads() made of the same plans in
// the same order. Everything else is as for one plan; the scratch memory is that of all plans.
ExecuteStats execute(const Catalog& catalog, const JointReads& reads, std::span<const ExecuteTarget> targets,
                     const ExecuteOptions& options = {});

// Runs copies whose sources lie in memory: `source` is where element 0 of the copy's source is (src_base and file do
// not apply), `target` where the arena (or other block that dst_base counts from) starts.
void place(const Copy& copy, const std::byte* source, std::byte* target);

}  // namespace ballast
