// Parsing a safetensors header of 10 MB: some 90,000 tensors, far more than any published file has. The names are
// those of a mixture-of-experts model, since its many short entries are the worst case.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "ballast/formats.hpp"

namespace {

constexpr std::size_t kHeaderBytes = 10'000'000;
constexpr std::uint64_t kTensorBytes = 2048 * 768 * 2;

std::string entry(std::size_t i) {
  static constexpr const char* kProjections[] = {"gate_proj", "up_proj", "down_proj"};
  const std::uint64_t begin = i * kTensorBytes;
  return "\"model.layers." + std::to_string(i / 768) + ".mlp.experts." + std::to_string(i / 3 % 256) + "." +
         kProjections[i % 3] + ".weight\":{\"dtype\":\"BF16\",\"shape\":[2048,768],\"data_offsets\":[" +
         std::to_string(begin) + "," + std::to_string(begin + kTensorBytes) + "]}";
}

struct Input {
  std::string json;
  std::uint64_t file_bytes = 0;
};

// `in_order`: whether the header lists the tensors in the order of their data, as most writers do.
Input make_input(bool in_order) {
  std::vector<std::string> entries;
  for (std::size_t bytes = 0; bytes < kHeaderBytes; bytes += entries.back().size() + 1)
    entries.push_back(entry(entries.size()));
  const std::uint64_t data_bytes = entries.size() * kTensorBytes;
  if (!in_order) std::shuffle(entries.begin(), entries.end(), std::mt19937(1));

  Input input{"{\"__metadata__\":{\"format\":\"pt\"}", 0};
  for (const std::string& text : entries) input.json += "," + text;
  input.json += "}";
  input.file_bytes = 8 + input.json.size() + data_bytes;
  return input;
}

void safetensors_header(benchmark::State& state, bool in_order) {
  const Input input = make_input(in_order);
  std::size_t tensors = 0;
  for (auto _ : state) {
    const ballast::FileHeader header = ballast::parse_safetensors_header(input.json, input.file_bytes, "bench");
    tensors = header.tensors.size();
    benchmark::DoNotOptimize(header.tensors.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(input.json.size()) * state.iterations());
  state.counters["tensors"] = static_cast<double>(tensors);
}

BENCHMARK_CAPTURE(safetensors_header, in_order, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(safetensors_header, shuffled, false)->Unit(benchmark::kMillisecond);

}  // namespace
