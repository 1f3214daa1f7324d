// All ranks of 4 in one pass over the files against one load of the whole model, page cache warm: the same bytes are
// read once in both, and the ranks' own copies of what all of them hold (embedding, norms) come on top. At most 1.15
// times as long. For comparison, the 4 ranks one after the other.
//
// The model is a piece of a published one: layers of Llama 2 7B, or of Llama 3 8B, and the share of the vocabulary that
// so many of the 32 layers have. Arms in random order, medians.
//
// BALLAST_BENCH_BYTES: size of the checkpoint (2 GiB). TMPDIR: where it is made, and removed again.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ballast/load.hpp"

namespace {

using namespace ballast;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kRanks = 4;
constexpr int kTurns = 15;

struct Dimensions {
  std::uint64_t inter, heads_kv, vocab;  // of 32 layers with a dimension of 4096 and 32 heads of 128
};
constexpr std::uint64_t kDim = 4096, kHeadSize = 128, kLayers = 32;
constexpr Dimensions kLlama2{11'008, 32, 32'000};
constexpr Dimensions kLlama3{14'336, 8, 128'256};

std::uint64_t wanted_bytes() {
  const char* const set = std::getenv("BALLAST_BENCH_BYTES");
  return set != nullptr ? std::strtoull(set, nullptr, 10) : 2ULL << 30;
}

// A checkpoint of noise in one file. Removed on destruction.
class Checkpoint {
 public:
  explicit Checkpoint(const Dimensions& model) {
    std::string path = (std::filesystem::temp_directory_path() / "ballast-bench-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary folder: " + path);
    folder_ = path;
    const std::uint64_t of_layer = 2 * kDim * (2 * kDim + 2 * model.heads_kv * kHeadSize + 3 * model.inter);
    const std::uint64_t layers = std::max<std::uint64_t>(1, wanted_bytes() / of_layer);
    const std::uint64_t vocab = model.vocab * layers / kLayers;
    add("lm_head.weight", {vocab, kDim});
    add("model.embed_tokens.weight", {vocab, kDim});
    for (std::uint64_t i = 0; i != layers; ++i) add_layer("model.layers." + std::to_string(i) + ".", model);
    add("model.norm.weight", {kDim});
    write();
    std::ofstream(folder_ / "config.json")
        << R"({"model_type": "llama", "torch_dtype": "bfloat16", "hidden_size": 4096, "num_attention_heads": 32)"
        << R"(, "num_key_value_heads": )" << model.heads_kv << R"(, "intermediate_size": )" << model.inter
        << R"(, "num_hidden_layers": )" << layers << R"(, "vocab_size": )" << vocab << "}";
  }
  ~Checkpoint() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  [[nodiscard]] std::string path() const { return folder_.string(); }

 private:
  void add_layer(const std::string& prefix, const Dimensions& model) {
    add(prefix + "input_layernorm.weight", {kDim});
    add(prefix + "mlp.down_proj.weight", {kDim, model.inter});
    add(prefix + "mlp.gate_proj.weight", {model.inter, kDim});
    add(prefix + "mlp.up_proj.weight", {model.inter, kDim});
    add(prefix + "post_attention_layernorm.weight", {kDim});
    add(prefix + "self_attn.k_proj.weight", {model.heads_kv * kHeadSize, kDim});
    add(prefix + "self_attn.o_proj.weight", {kDim, kDim});
    add(prefix + "self_attn.q_proj.weight", {kDim, kDim});
    add(prefix + "self_attn.v_proj.weight", {model.heads_kv * kHeadSize, kDim});
  }

  void add(const std::string& name, const Shape& shape) {
    std::string extents;
    for (const std::uint64_t extent : shape) extents += (extents.empty() ? "" : ",") + std::to_string(extent);
    const std::uint64_t end = bytes_ + 2 * shape.numel();
    header_ += (header_.empty() ? "{\"" : ",\"") + name + R"(":{"dtype":"BF16","shape":[)" + extents +
               R"(],"data_offsets":[)" + std::to_string(bytes_) + "," + std::to_string(end) + "]}";
    bytes_ = end;
  }

  void write() {
    header_ += "}";
    header_.resize((header_.size() + 8 + 63) / 64 * 64 - 8, ' ');
    const std::uint64_t size = header_.size();
    std::ofstream out(folder_ / "model.safetensors", std::ios::binary);
    out.write(reinterpret_cast<const char*>(&size), sizeof size);
    out.write(header_.data(), static_cast<std::streamsize>(size));
    std::vector<std::uint64_t> block((1U << 20) / 8);
    std::uint64_t state = 1;
    for (std::uint64_t written = 0; written < bytes_;) {
      for (std::uint64_t& word : block) word = state = state * 6364136223846793005U + 1442695040888963407U;
      const std::uint64_t some = std::min<std::uint64_t>(block.size() * 8, bytes_ - written);
      out.write(reinterpret_cast<const char*>(block.data()), static_cast<std::streamsize>(some));
      written += some;
    }
    if (!out.flush()) throw std::runtime_error("cannot write the checkpoint");
  }

  std::filesystem::path folder_;
  std::string header_;
  std::uint64_t bytes_ = 0;
};

// What a load took: on the clock, and of all threads together, which a busy machine disturbs less.
struct Taken {
  double wall = 0, cpu = 0;
};

class Watch {
 public:
  [[nodiscard]] Taken taken() const {
    return {std::chrono::duration<double>(Clock::now() - wall_).count(),
            static_cast<double>(std::clock() - cpu_) / CLOCKS_PER_SEC};
  }

 private:
  Clock::time_point wall_ = Clock::now();
  std::clock_t cpu_ = std::clock();
};

// Whole loads, from opening the files to typed access; giving the memory back does not count.
Taken load_whole(const std::string& path, LoadOptions options) {
  const Watch watch;
  const LoadedModel model = load(path, options);
  return watch.taken();
}

Taken load_one_pass(const std::string& path, LoadOptions options) {
  options.tp_size = kRanks;
  const Watch watch;
  const std::vector<LoadedModel> ranks = load_ranks(path, options);
  const Taken taken = watch.taken();
  if (ranks[0].report().execute.bytes_read != ranks[0].report().bytes_needed)
    throw std::runtime_error("not all was read");
  return taken;
}

Taken load_one_by_one(const std::string& path, LoadOptions options) {
  options.tp_size = kRanks;
  std::vector<LoadedModel> ranks;
  const Watch watch;
  for (options.tp_rank = 0; options.tp_rank != kRanks; ++options.tp_rank) ranks.push_back(load(path, options));
  return watch.taken();
}

// What the arenas of all ranks hold, for each byte that one arena for the whole model holds.
double memory_ratio(const std::string& path, LoadOptions options) {
  const double whole = static_cast<double>(prepare(path, options).plan.arena_bytes);
  options.tp_size = kRanks;
  double ranks = 0;
  for (const PreparedLoad& rank : prepare_ranks(path, options).ranks)
    ranks += static_cast<double>(rank.plan.arena_bytes);
  return ranks / whole;
}

double median(const std::vector<Taken>& taken, double Taken::*what) {
  std::vector<double> values;
  for (const Taken& one : taken) values.push_back(one.*what);
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

double least(const std::vector<Taken>& taken) {
  return std::min_element(taken.begin(), taken.end(), [](const Taken& a, const Taken& b) { return a.wall < b.wall; })
      ->wall;
}

void all_ranks(benchmark::State& state, const Dimensions& model) {
  const Checkpoint checkpoint(model);
  LoadOptions options;
  options.execute.threads = static_cast<unsigned>(state.range(0));
  using Arm = Taken (*)(const std::string&, LoadOptions);
  const std::array<Arm, 3> arms{load_whole, load_one_pass, load_one_by_one};
  (void)load_whole(checkpoint.path(), options);  // warms the page cache
  for (auto _ : state) {
    std::array<std::vector<Taken>, 3> taken;
    std::array<std::size_t, 3> order{0, 1, 2};
    std::mt19937 random(1);
    for (int turn = 0; turn != kTurns; ++turn) {
      std::shuffle(order.begin(), order.end(), random);
      for (const std::size_t arm : order) taken[arm].push_back(arms[arm](checkpoint.path(), options));
    }
    state.SetIterationTime(median(taken[1], &Taken::wall));
    state.counters["ratio"] = median(taken[1], &Taken::wall) / median(taken[0], &Taken::wall);
    state.counters["ratio_of_best"] = least(taken[1]) / least(taken[0]);
    state.counters["one_by_one"] = median(taken[2], &Taken::wall) / median(taken[0], &Taken::wall);
    state.counters["memory"] = memory_ratio(checkpoint.path(), options);
    state.counters["whole_ms"] = median(taken[0], &Taken::wall) * 1e3;
    state.counters["cpu_ratio"] = median(taken[1], &Taken::cpu) / median(taken[0], &Taken::cpu);
  }
}

BENCHMARK_CAPTURE(all_ranks, llama_2_7b, kLlama2)
    ->Arg(1)
    ->Arg(2)
    ->ArgName("threads")
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(all_ranks, llama_3_8b, kLlama3)
    ->Arg(1)
    ->Arg(2)
    ->ArgName("threads")
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
