// Loading, page cache warm and without conversion, against plain positioned reads of the same bytes: the same files,
// as many threads, the same kind of fresh memory. The two are run by turns, and the medians of all turns are compared;
// a load shall reach at least 0.8 times the plain reads. On a machine that is busy with something else, the ratio of
// the best turns says more than that of the medians.
//
// BALLAST_BENCH_BYTES: size of the set of files (2 GiB). TMPDIR: where they are made, and removed again.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "ballast/execute.hpp"

namespace {

using namespace ballast;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kShards = 4;
constexpr std::uint64_t kRowBytes = 8192;  // 4096 BF16 elements
constexpr int kTurns = 15;

std::uint64_t total_bytes() {
  const char* const set = std::getenv("BALLAST_BENCH_BYTES");
  const std::uint64_t bytes = set != nullptr ? std::strtoull(set, nullptr, 10) : 2ULL << 30;
  return std::max<std::uint64_t>(bytes / (kShards << 20), 1) * (kShards << 20);
}

// Shards of noise. Removed on destruction.
class Files {
 public:
  Files() {
    std::string path = (std::filesystem::temp_directory_path() / "ballast-bench-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary folder: " + path);
    folder_ = path;
    std::vector<std::uint64_t> block((1U << 20) / 8);
    std::uint64_t state = 1;
    for (std::uint64_t shard = 0; shard != kShards; ++shard) {
      CatalogFile file;
      file.path = (folder_ / ("shard" + std::to_string(shard))).string();
      file.file_bytes = total_bytes() / kShards;
      std::ofstream out(file.path, std::ios::binary);
      for (std::uint64_t written = 0; written != file.file_bytes; written += block.size() * 8) {
        for (std::uint64_t& word : block) word = state = state * 6364136223846793005U + 1442695040888963407U;
        out.write(reinterpret_cast<const char*>(block.data()), static_cast<std::streamsize>(block.size() * 8));
      }
      if (!out.flush()) throw std::runtime_error("cannot write " + file.path);
      catalog_.files.push_back(std::move(file));
    }
  }
  ~Files() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  [[nodiscard]] const Catalog& catalog() const { return catalog_; }

 private:
  std::filesystem::path folder_;
  Catalog catalog_;
};

// What a model's plan has: large matrices, norms between them, and pairs whose rows are interleaved in memory.
class PlanMaker {
 public:
  explicit PlanMaker(const Catalog& catalog) {
    for (std::uint32_t file = 0; file != catalog.files.size(); ++file) {
      std::uint64_t offset = 0;
      for (std::uint64_t rows; (rows = (catalog.files[file].file_bytes - offset) / kRowBytes) != 0;) {
        offset += add_rows(file, offset, std::min<std::uint64_t>(rows, 4096));
        if (rows > 4096) offset += add_rows(file, offset, 1);
        if (rows > 3 * 4096) offset += add_pair(file, offset, 2048);
      }
    }
  }
  [[nodiscard]] Plan take() { return std::move(plan_); }

 private:
  std::uint64_t add_rows(std::uint32_t file, std::uint64_t offset, std::uint64_t rows) {
    Copy copy = base(file, offset);
    copy.dims[copy.n_dims++] = {rows * kRowBytes / 2, 1, 1};
    add(copy, rows * kRowBytes);
    plan_.arena_bytes += rows * kRowBytes;
    return rows * kRowBytes;
  }

  std::uint64_t add_pair(std::uint32_t file, std::uint64_t offset, std::uint64_t rows) {
    constexpr std::uint64_t kRow = kRowBytes / 2;
    for (std::uint64_t part = 0; part != 2; ++part) {
      Copy copy = base(file, offset + part * rows * kRowBytes);
      copy.dst_begin = part * kRow;
      copy.dims[copy.n_dims++] = {rows, kRow, 2 * kRow};
      copy.dims[copy.n_dims++] = {kRow, 1, 1};
      add(copy, rows * kRowBytes);
    }
    plan_.arena_bytes += 2 * rows * kRowBytes;
    return 2 * rows * kRowBytes;
  }

  [[nodiscard]] Copy base(std::uint32_t file, std::uint64_t offset) const {
    Copy copy;
    copy.file = file;
    copy.from = copy.to = DType::BF16;
    copy.src_base = offset;
    copy.dst_base = plan_.arena_bytes;
    return copy;
  }

  void add(const Copy& copy, std::uint64_t bytes) {
    const auto index = static_cast<std::uint32_t>(plan_.copies.size());
    plan_.groups.push_back({copy.file, index, 1, copy.src_base, copy.src_base + bytes});
    plan_.copies.push_back(copy);
    plan_.bytes_needed += bytes;
  }

  Plan plan_;
};

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double load(const Catalog& catalog, const Plan& plan, unsigned threads) {
  const auto start = Clock::now();
  const Arena arena(plan.arena_bytes);
  ExecuteOptions options;
  options.threads = threads;
  const ExecuteStats stats = execute(catalog, plan, arena.data(), options);
  const double seconds = seconds_since(start);
  if (stats.bytes_read != plan.bytes_needed) throw std::runtime_error("not all was read");
  return seconds;
}

// Chunks of all files, taken by the threads in turn.
double read_plainly(const Catalog& catalog, std::uint64_t bytes, unsigned threads) {
  constexpr std::uint64_t kChunk = 8ULL << 20;
  const auto start = Clock::now();
  const Arena arena(bytes);
  const std::uint64_t file_bytes = catalog.files[0].file_bytes;
  std::vector<int> descriptors;
  for (const CatalogFile& file : catalog.files) descriptors.push_back(::open(file.path.c_str(), O_RDONLY | O_CLOEXEC));
  std::atomic<std::uint64_t> next = 0;
  std::atomic<bool> failed = false;
  const auto work = [&] {
    const std::uint64_t chunks = (file_bytes + kChunk - 1) / kChunk;
    for (std::uint64_t chunk; (chunk = next++) < chunks * descriptors.size();) {
      std::uint64_t offset = chunk % chunks * kChunk;
      const std::uint64_t end = std::min(offset + kChunk, file_bytes);
      std::byte* const file_start = arena.data() + chunk / chunks * file_bytes;
      while (offset != end) {
        const ::ssize_t got =
            ::pread(descriptors[chunk / chunks], file_start + offset, end - offset, static_cast<::off_t>(offset));
        if (got <= 0) {
          failed = true;
          return;
        }
        offset += static_cast<std::uint64_t>(got);
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i != threads; ++i) others.emplace_back(work);
    work();
  }
  const double seconds = seconds_since(start);
  for (const int descriptor : descriptors) ::close(descriptor);
  if (failed) throw std::runtime_error("a plain read failed");
  return seconds;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

double least(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }

void load_against_plain_reads(benchmark::State& state) {
  static const Files files;
  const auto threads = static_cast<unsigned>(state.range(0));
  const Plan plan = PlanMaker(files.catalog()).take();
  (void)read_plainly(files.catalog(), plan.bytes_needed, threads);  // warms the page cache
  for (auto _ : state) {
    std::vector<double> loads, plain;
    std::mt19937 order(1);
    for (int turn = 0; turn != kTurns; ++turn) {
      // Not strictly in turns: what the one frees the next is given, and where that has a rhythm it must not be theirs.
      const bool load_first = (order() & 1) != 0;
      if (load_first) loads.push_back(load(files.catalog(), plan, threads));
      plain.push_back(read_plainly(files.catalog(), plan.bytes_needed, threads));
      if (!load_first) loads.push_back(load(files.catalog(), plan, threads));
    }
    const double gigabytes = static_cast<double>(plan.bytes_needed) / 1e9;
    state.SetIterationTime(median(loads));
    state.counters["load_GB/s"] = gigabytes / median(loads);
    state.counters["plain_GB/s"] = gigabytes / median(plain);
    state.counters["ratio"] = median(plain) / median(loads);
    state.counters["ratio_of_best"] = least(plain) / least(loads);
  }
}

BENCHMARK(load_against_plain_reads)
    ->Arg(1)
    ->Arg(static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 2U, 16U)))
    ->ArgName("threads")
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
