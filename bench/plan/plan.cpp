// Binding and planning a mixture-of-experts model: 48 layers of 128 experts with three matrices each make 18,577
// tensors, whose gate and up matrices become one stack of interleaved and transposed experts. Everything between the
// headers and the first read; at most 50 ms, and linear in the number of tensors.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ballast/binding.hpp"
#include "ballast/plan.hpp"

namespace {

using namespace ballast;

constexpr std::uint64_t kLayers = 48;
constexpr std::uint64_t kExperts = 128;
constexpr std::uint64_t kDim = 2048;
constexpr std::uint64_t kInter = 768;
constexpr std::uint64_t kHeads = 32;
constexpr std::uint64_t kHeadsKv = 4;
constexpr std::uint64_t kHeadSize = 128;
constexpr std::uint64_t kVocab = 151'936;
constexpr std::uint64_t kTensorsOfAFile = 1'200;

DependencySchema single(std::string name) { return {std::move(name), DependencyKind::single, {}, {}}; }
DependencySchema experts(std::string name) { return {std::move(name), DependencyKind::list, "n_experts", {}}; }

ContainerSchema layer_schema() {
  std::vector<ParameterSchema> parameters{
      {"qkv_w",
       "Qkv",
       {single("q"), single("k"), single("v")},
       [](const ModelContext& m, const Operands& o) { return m.transform_qkv(concat(0, o[0][0], o[1][0], o[2][0])); }},
      {"moe_mlp_1",
       "GatedExperts",
       {experts("gates"), experts("ups")},
       [](const ModelContext& m, const Operands& o) { return m.transform_gated_moe_mlp_1(stack(o[0]), stack(o[1])); }},
      {"moe_mlp_2", "Experts", {experts("downs")}, [](const ModelContext& m, const Operands& o) {
         return m.transform_moe_mlp_2(stack(o[0]));
       }}};
  return ContainerSchema::make("layer", std::move(parameters),
                               {{"self_attn.q_proj.weight", {"qkv_w.q"}},
                                {"self_attn.k_proj.weight", {"qkv_w.k"}},
                                {"self_attn.v_proj.weight", {"qkv_w.v"}},
                                {"mlp.experts.*.gate_proj.weight", {"moe_mlp_1.gates"}},
                                {"mlp.experts.*.up_proj.weight", {"moe_mlp_1.ups"}},
                                {"mlp.experts.*.down_proj.weight", {"moe_mlp_2.downs"}}});
}

ContainerSchema rest_schema() {
  std::vector<ParameterSchema> parameters{
      {"word_emb", "Embedding", {single("params")}, [](const ModelContext& m, const Operands& o) {
         return m.transform_embedding(o[0][0]);
       }}};
  return ContainerSchema::make("rest", std::move(parameters), {{"model.embed_tokens.weight", {"word_emb.params"}}});
}

struct Input {
  ContainerSchema layer = layer_schema();
  ContainerSchema rest = rest_schema();
  ContainerMap map;
  ModelContext context;
  Catalog catalog;

  Input(std::uint64_t n_layers, std::uint64_t ranks) {
    map.layers({"model.layers"}, layer, n_layers).non_transformer(rest);
    context.model_dim = kDim;
    context.n_layers = n_layers;
    context.n_heads = kHeads;
    context.n_heads_kv = kHeadsKv;
    context.head_size = kHeadSize;
    context.intermediate_dim = kInter;
    context.n_experts = kExperts;
    context.vocab_size = kVocab;
    context.tp_size = ranks;
    add("model.embed_tokens.weight", {kVocab, kDim});
    for (std::uint64_t l = 0; l < n_layers; ++l) add_layer("model.layers." + std::to_string(l));
  }

 private:
  void add_layer(const std::string& prefix) {
    // In the order of most published files: by name.
    for (std::uint64_t e = 0; e < kExperts; ++e) {
      const std::string expert = prefix + ".mlp.experts." + std::to_string(e);
      add(expert + ".down_proj.weight", {kDim, kInter});
      add(expert + ".gate_proj.weight", {kInter, kDim});
      add(expert + ".up_proj.weight", {kInter, kDim});
    }
    add(prefix + ".self_attn.k_proj.weight", {kHeadsKv * kHeadSize, kDim});
    add(prefix + ".self_attn.q_proj.weight", {kHeads * kHeadSize, kDim});
    add(prefix + ".self_attn.v_proj.weight", {kHeadsKv * kHeadSize, kDim});
  }

  void add(std::string name, const Shape& shape) {
    if (catalog.tensors.size() % kTensorsOfAFile == 0) {
      CatalogFile file;
      file.path = "model-" + std::to_string(catalog.files.size()) + ".safetensors";
      file.file_bytes = offset_ = 8;
      catalog.files.push_back(std::move(file));
    }
    TensorInfo tensor;
    tensor.name = std::move(name);
    tensor.dtype = DType::BF16;
    tensor.shape = shape;
    tensor.file = static_cast<std::uint32_t>(catalog.files.size() - 1);
    tensor.offset = offset_;
    tensor.nbytes = *byte_size(DType::BF16, shape.numel());
    catalog.files.back().file_bytes = offset_ += tensor.nbytes;
    catalog.tensors.push_back(std::move(tensor));
  }

  std::uint64_t offset_ = 0;
};

void finish(benchmark::State& state, const Input& input) {
  const auto tensors = static_cast<double>(input.catalog.tensors.size());
  state.SetComplexityN(static_cast<benchmark::IterationCount>(tensors));
  state.counters["tensors"] = tensors;
  state.counters["s/tensor"] =
      benchmark::Counter(tensors, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void only_bind(benchmark::State& state) {
  const Input input(static_cast<std::uint64_t>(state.range(0)), 1);
  for (auto _ : state) {
    const Binding binding = bind(input.catalog, input.map, input.context);
    benchmark::DoNotOptimize(binding.containers.data());
  }
  finish(state, input);
}

void only_plan(benchmark::State& state) {
  const Input input(static_cast<std::uint64_t>(state.range(0)), static_cast<std::uint64_t>(state.range(1)));
  const Binding binding = bind(input.catalog, input.map, input.context);
  std::size_t copies = 0;
  for (auto _ : state) {
    const Plan plan = make_plan(input.catalog, binding, input.context);
    copies = plan.copies.size();
    benchmark::DoNotOptimize(plan.copies.data());
  }
  finish(state, input);
  state.counters["copies"] = static_cast<double>(copies);
}

void bind_and_plan(benchmark::State& state) {
  const Input input(static_cast<std::uint64_t>(state.range(0)), 1);
  for (auto _ : state) {
    const Binding binding = bind(input.catalog, input.map, input.context);
    const Plan plan = make_plan(input.catalog, binding, input.context);
    benchmark::DoNotOptimize(plan.copies.data());
  }
  finish(state, input);
}

BENCHMARK(only_bind)->ArgName("layers")->Arg(kLayers)->Unit(benchmark::kMillisecond);
BENCHMARK(only_plan)
    ->ArgNames({"layers", "ranks"})
    ->Args({kLayers, 1})
    ->Args({kLayers, 4})
    ->Unit(benchmark::kMillisecond);
// From 2,000 to 90,000 tensors.
BENCHMARK(bind_and_plan)
    ->ArgName("layers")
    ->Arg(5)
    ->Arg(12)
    ->Arg(24)
    ->Arg(kLayers)
    ->Arg(96)
    ->Arg(233)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);

}  // namespace
