// Each conversion that loading meets often, in bytes of its larger side a second, against a plain copy of as many.
#include "convert/convert.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace {

using ballast::DType;

// A staging buffer's worth: more than the caches hold.
constexpr std::size_t kElements = std::size_t{16} << 20;

struct Buffers {
  explicit Buffers(std::size_t from_bytes, std::size_t to_bytes) : from(from_bytes), to(to_bytes) {
    // Bytes below 0x40 make small finite numbers in every type, and no slow paths anywhere.
    std::uint32_t state = 1;
    for (std::byte& byte : from) {
      state = state * 1664525U + 1013904223U;
      byte = static_cast<std::byte>(state >> 26);
    }
  }
  std::vector<std::byte> from, to;
};

std::size_t bytes_of(DType dtype) { return static_cast<std::size_t>(*ballast::byte_size(dtype, kElements)); }

void convert(benchmark::State& state, DType from, DType to) {
  const auto kernel = ballast::convert::find_kernel(from, to);
  if (kernel == nullptr) {
    state.SkipWithError("no such kernel");
    return;
  }
  Buffers buffers(bytes_of(from), bytes_of(to));
  for (auto _ : state) {
    kernel(buffers.from.data(), buffers.to.data(), kElements);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(std::max(bytes_of(from), bytes_of(to))));
}

void copy(benchmark::State& state, DType dtype) {
  Buffers buffers(bytes_of(dtype), bytes_of(dtype));
  for (auto _ : state) {
    std::memcpy(buffers.to.data(), buffers.from.data(), buffers.from.size());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(buffers.from.size()));
}

}  // namespace

int main(int argc, char** argv) {
  for (const DType dtype : {DType::F64, DType::F32, DType::BF16, DType::F8_E4M3}) {
    benchmark::RegisterBenchmark(("memcpy/" + std::string(name(dtype))).c_str(), copy, dtype);
  }
  for (const auto& [from, to] : {std::pair{DType::BF16, DType::F32},
                                 {DType::F32, DType::BF16},
                                 {DType::F16, DType::F32},
                                 {DType::F32, DType::F16},
                                 {DType::F16, DType::BF16},
                                 {DType::BF16, DType::F16},
                                 {DType::F64, DType::F32},
                                 {DType::F64, DType::BF16},
                                 {DType::F8_E4M3, DType::BF16},
                                 {DType::F8_E5M2, DType::F32},
                                 {DType::BF16, DType::F8_E4M3},
                                 {DType::F32, DType::F8_E5M2},
                                 {DType::F32, DType::F8_E8M0},
                                 {DType::Q4_0, DType::BF16},
                                 {DType::Q4_1, DType::BF16},
                                 {DType::Q5_0, DType::BF16},
                                 {DType::Q5_1, DType::BF16},
                                 {DType::Q8_0, DType::F16},
                                 {DType::Q8_0, DType::F32}}) {
    const std::string label = std::string(name(from)) + "_to_" + std::string(name(to));
    benchmark::RegisterBenchmark(label.c_str(), convert, from, to);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
