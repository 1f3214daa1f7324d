// A mixture of experts, page cache warm: 128 experts of 768 x 2048 in BF16, stored one by one, stacked and transposed
// to [E, in, out]; gate and up projections interleaved on the way. Against memcpy of as many bytes from memory to fresh
// memory of the same kind, with as many threads. The arms take turns, and the medians are compared; a load shall reach
// at least 0.5 times the memcpy. On a machine that is busy with something else the best turns say more.
//
// BALLAST_BENCH_EXPERTS: how many (128). TMPDIR: where the file is made, and removed again.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "ballast/binding.hpp"
#include "ballast/execute.hpp"
#include "ballast/models/moe.hpp"
#include "ballast/plan.hpp"

namespace {

using namespace ballast;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kInter = 768, kDim = 2048, kExpertBytes = kInter * kDim * 2;
constexpr int kTurns = 9;

std::uint64_t experts() {
  const char* const set = std::getenv("BALLAST_BENCH_EXPERTS");
  return set != nullptr ? std::max<std::uint64_t>(std::strtoull(set, nullptr, 10), 1) : 128;
}

struct DownLayer {
  Parameter<models::SeparateMoeMlp2> moe_mlp_2;
  static constexpr auto param_mapping =
      mapping<DownLayer>(from("experts.*.down", to<&DownLayer::moe_mlp_2, &models::SeparateMoeMlp2::experts>));
};
struct GatedLayer {
  Parameter<models::SeparateGatedMoeMlp1> moe_mlp_1;
  static constexpr auto param_mapping = mapping<GatedLayer>(
      from("experts.*.gate", to<&GatedLayer::moe_mlp_1, &models::SeparateGatedMoeMlp1::gating_experts>),
      from("experts.*.up", to<&GatedLayer::moe_mlp_1, &models::SeparateGatedMoeMlp1::up_experts>));
};

// A safetensors file of one kind of matrices; removed on destruction.
class Checkpoint {
 public:
  Checkpoint(const std::vector<std::string>& names, const std::string& shape) {
    std::string path = (std::filesystem::temp_directory_path() / "ballast-bench-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary folder: " + path);
    folder_ = path;
    std::string header = "{";
    std::uint64_t n = 0;
    for (std::uint64_t e = 0; e < experts(); ++e)
      for (const std::string& name : names) {
        header += (n == 0 ? "" : ",");
        header += "\"experts." + std::to_string(e) + "." + name + "\":{\"dtype\":\"BF16\",\"shape\":" + shape +
                  ",\"data_offsets\":[" + std::to_string(n * kExpertBytes) + "," +
                  std::to_string((n + 1) * kExpertBytes) + "]}";
        ++n;
      }
    header += "}";
    std::ofstream out(folder_ / "model.safetensors", std::ios::binary);
    const std::uint64_t length = header.size();
    out.write(reinterpret_cast<const char*>(&length), 8).write(header.data(), static_cast<std::streamsize>(length));
    std::vector<std::uint64_t> block(kExpertBytes / 8);
    std::uint64_t state = 1;
    for (std::uint64_t i = 0; i < n; ++i) {
      for (std::uint64_t& word : block) word = state = state * 6364136223846793005U + 1442695040888963407U;
      out.write(reinterpret_cast<const char*>(block.data()), static_cast<std::streamsize>(kExpertBytes));
    }
    if (!out.flush()) throw std::runtime_error("cannot write to " + path);
  }
  ~Checkpoint() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;
  [[nodiscard]] std::string path() const { return (folder_ / "model.safetensors").string(); }

 private:
  std::filesystem::path folder_;
};

double seconds_of(const std::function<void()>& work) {
  const Clock::time_point start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void copy_in_threads(std::byte* to, const std::byte* from, std::uint64_t bytes, unsigned threads) {
  std::vector<std::thread> all;
  for (unsigned t = 0; t < threads; ++t)
    all.emplace_back([=] {
      const std::uint64_t begin = bytes * t / threads, end = bytes * (t + 1) / threads;
      std::memcpy(to + begin, from + begin, end - begin);
    });
  for (std::thread& one : all) one.join();
}

void compare(benchmark::State& state, const ContainerSchema& schema, const std::vector<std::string>& names,
             const std::string& shape) {
  const Checkpoint checkpoint(names, shape);
  const Catalog catalog = open_checkpoint(checkpoint.path());
  ModelContext context;
  context.n_experts = experts();
  const Plan plan = make_plan(catalog, bind(catalog, ContainerMap().non_transformer(schema), context), context);
  const auto threads = static_cast<unsigned>(state.range(0));
  ExecuteOptions options;
  options.threads = threads;
  const std::vector<std::byte> memory(plan.arena_bytes, std::byte{1});
  std::vector<double> loads, copies;
  for (auto _ : state)
    for (int turn = 0; turn < kTurns; ++turn) {
      loads.push_back(seconds_of([&] {
        const Arena arena(plan.arena_bytes);
        const ExecuteStats stats = execute(catalog, plan, arena.data(), options);
        if (stats.bytes_read != plan.bytes_needed) throw std::runtime_error("not each byte was read once");
      }));
      copies.push_back(seconds_of([&] {
        const Arena arena(plan.arena_bytes);
        copy_in_threads(arena.data(), memory.data(), plan.arena_bytes, threads);
        benchmark::DoNotOptimize(arena.data()[0]);
      }));
    }
  std::sort(loads.begin(), loads.end());
  std::sort(copies.begin(), copies.end());
  state.counters["load/memcpy"] = copies[copies.size() / 2] / loads[loads.size() / 2];
  state.counters["best/best"] = copies.front() / loads.front();
  state.counters["GB/s"] = static_cast<double>(plan.bytes_needed) / loads[loads.size() / 2] / 1e9;
}

void stack_and_transpose(benchmark::State& state) { compare(state, schema_of<DownLayer>(), {"down"}, "[2048,768]"); }
void interleave_stack_and_transpose(benchmark::State& state) {
  compare(state, schema_of<GatedLayer>(), {"gate", "up"}, "[768,2048]");
}
BENCHMARK(stack_and_transpose)->Arg(1)->Arg(2)->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK(interleave_stack_and_transpose)->Arg(1)->Arg(2)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
