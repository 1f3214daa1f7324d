// Binding and validating the names of a DeepSeek-V3: 61 layers, 58 of them with 256 experts, an FP8 weight and its
// scale for each matrix, and a layer for multi-token prediction that is skipped: 91,991 names, as its published index
// has them. "Validated" is every rule of names, and every shape and dtype by a plan. At most 60 ms, and linear in
// names.
//
// deepspeed_mapping.py in this folder has DeepSpeed's own containers do the first half of it on the same names.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "ballast/binding.hpp"
#include "ballast/plan.hpp"

namespace {

using namespace ballast;

constexpr std::uint64_t kLayers = 61;
constexpr std::uint64_t kDenseLayers = 3;
constexpr std::uint64_t kExperts = 256;
constexpr std::uint64_t kNames = 91'991;
constexpr std::uint64_t kDim = 7168;
constexpr std::uint64_t kInter = 18'432;
constexpr std::uint64_t kExpertInter = 2048;
constexpr std::uint64_t kVocab = 129'280;
constexpr std::uint64_t kBlock = 128;  // of rows and columns that share a scale
constexpr std::uint64_t kTensorsOfAFile = 570;

DependencySchema single(std::string name) { return {std::move(name), DependencyKind::single, {}, {}}; }
DependencySchema experts(std::string name) { return {std::move(name), DependencyKind::list, "n_experts", {}}; }

using Rules = std::vector<std::pair<std::string, std::vector<std::string>>>;

struct Builder {
  std::vector<ParameterSchema> parameters;
  Rules rules;

  void plain(const std::string& parameter, const std::string& source) {
    parameters.push_back(
        {parameter, "Plain", {single("params")}, [](const ModelContext&, const Operands& o) { return o[0][0]; }});
    rules.push_back({source, {parameter + ".params"}});
  }
  // A weight with the scales of its blocks.
  void scaled(const std::string& parameter, const std::string& source) {
    parameters.push_back(
        {parameter, "Scaled", {single("params"), single("scales")}, [](const ModelContext&, const Operands& o) {
           return o[0][0].with_aux("scale", o[1][0]);
         }});
    rules.push_back({source + ".weight", {parameter + ".params"}});
    rules.push_back({source + ".weight_scale_inv", {parameter + ".scales"}});
  }
  void gated(const std::string& parameter, const std::string& path) {
    parameters.push_back(
        {parameter,
         "ScaledGated",
         {single("gate"), single("up"), single("gate_scales"), single("up_scales")},
         [](const ModelContext&, const Operands& o) {
           return interleave(0, o[0][0], o[1][0]).with_aux("gate_scale", o[2][0]).with_aux("up_scale", o[3][0]);
         }});
    rules.push_back({path + ".gate_proj.weight", {parameter + ".gate"}});
    rules.push_back({path + ".up_proj.weight", {parameter + ".up"}});
    rules.push_back({path + ".gate_proj.weight_scale_inv", {parameter + ".gate_scales"}});
    rules.push_back({path + ".up_proj.weight_scale_inv", {parameter + ".up_scales"}});
  }
  void stacked_experts() {
    parameters.push_back({"moe_mlp_1",
                          "ScaledGatedExperts",
                          {experts("gates"), experts("ups"), experts("gate_scales"), experts("up_scales")},
                          [](const ModelContext&, const Operands& o) {
                            return transpose(interleave(1, stack(o[0]), stack(o[1])), 1, 2)
                                .with_aux("gate_scale", stack(o[2]))
                                .with_aux("up_scale", stack(o[3]));
                          }});
    parameters.push_back({"moe_mlp_2",
                          "ScaledExperts",
                          {experts("downs"), experts("scales")},
                          [](const ModelContext&, const Operands& o) {
                            return transpose(stack(o[0]), 1, 2).with_aux("scale", stack(o[1]));
                          }});
    rules.push_back({"mlp.experts.*.gate_proj.weight", {"moe_mlp_1.gates"}});
    rules.push_back({"mlp.experts.*.up_proj.weight", {"moe_mlp_1.ups"}});
    rules.push_back({"mlp.experts.*.gate_proj.weight_scale_inv", {"moe_mlp_1.gate_scales"}});
    rules.push_back({"mlp.experts.*.up_proj.weight_scale_inv", {"moe_mlp_1.up_scales"}});
    rules.push_back({"mlp.experts.*.down_proj.weight", {"moe_mlp_2.downs"}});
    rules.push_back({"mlp.experts.*.down_proj.weight_scale_inv", {"moe_mlp_2.scales"}});
  }
  void attention() {
    scaled("q_a_w", "self_attn.q_a_proj");
    plain("q_a_norm_gamma", "self_attn.q_a_layernorm.weight");
    scaled("q_b_w", "self_attn.q_b_proj");
    scaled("kv_a_w", "self_attn.kv_a_proj_with_mqa");
    plain("kv_a_norm_gamma", "self_attn.kv_a_layernorm.weight");
    scaled("kv_b_w", "self_attn.kv_b_proj");
    scaled("attn_out_w", "self_attn.o_proj");
    plain("attn_norm_gamma", "input_layernorm.weight");
    plain("mlp_norm_gamma", "post_attention_layernorm.weight");
  }
  [[nodiscard]] ContainerSchema make(std::string name) {
    return ContainerSchema::make(std::move(name), parameters, rules);
  }
};

ContainerSchema dense_schema() {
  Builder layer;
  layer.attention();
  layer.gated("mlp_1_w", "mlp");
  layer.scaled("mlp_2_w", "mlp.down_proj");
  return layer.make("dense layer");
}

ContainerSchema moe_schema() {
  Builder layer;
  layer.attention();
  layer.plain("moe_gate", "mlp.gate.weight");
  layer.plain("moe_gate_b", "mlp.gate.e_score_correction_bias");
  layer.stacked_experts();
  layer.gated("shared_moe_mlp_1", "mlp.shared_experts");
  layer.scaled("shared_moe_mlp_2", "mlp.shared_experts.down_proj");
  return layer.make("MoE layer");
}

ContainerSchema rest_schema() {
  Builder rest;
  rest.plain("word_emb", "model.embed_tokens.weight");
  rest.plain("final_norm", "model.norm.weight");
  rest.plain("word_unembed", "lm_head.weight");
  return rest.make("rest");
}

struct Input {
  ContainerSchema dense = dense_schema();
  ContainerSchema moe = moe_schema();
  ContainerSchema rest = rest_schema();
  ContainerMap map;
  ModelContext context;
  Catalog catalog;

  explicit Input(std::uint64_t n_layers) {
    std::vector<const ContainerSchema*> schemas(n_layers, &moe);
    for (std::uint64_t l = 0; l < kDenseLayers; ++l) schemas[l] = &dense;
    const std::string mtp = "model.layers." + std::to_string(n_layers);
    map.layers({"model.layers"}, std::move(schemas)).non_transformer(rest).skip(mtp, "multi-token prediction");
    context.model_dim = kDim;
    context.n_layers = n_layers;
    context.n_experts = kExperts;
    add("lm_head.weight", {kVocab, kDim}, DType::BF16);
    add("model.embed_tokens.weight", {kVocab, kDim}, DType::BF16);
    for (std::uint64_t l = 0; l <= n_layers; ++l) add_layer("model.layers." + std::to_string(l), l >= kDenseLayers);
    for (const char* name : {".embed_tokens.weight", ".shared_head.head.weight"})
      add(mtp + name, {kVocab, kDim}, DType::BF16);
    for (const char* name : {".enorm.weight", ".hnorm.weight", ".shared_head.norm.weight"})
      add(mtp + name, {kDim}, DType::BF16);
    add(mtp + ".eh_proj.weight", {kDim, 2 * kDim}, DType::BF16);
    add("model.norm.weight", {kDim}, DType::BF16);
    if (n_layers == kLayers && catalog.tensors.size() != kNames) std::abort();
  }

 private:
  void add_layer(const std::string& prefix, bool is_moe) {
    add(prefix + ".input_layernorm.weight", {kDim}, DType::BF16);
    if (is_moe) {
      // In the order of the published files: by name.
      for (std::uint64_t e = 0; e < kExperts; ++e) {
        const std::string expert = prefix + ".mlp.experts." + std::to_string(e);
        add_scaled(expert + ".down_proj", {kDim, kExpertInter});
        add_scaled(expert + ".gate_proj", {kExpertInter, kDim});
        add_scaled(expert + ".up_proj", {kExpertInter, kDim});
      }
      add(prefix + ".mlp.gate.e_score_correction_bias", {kExperts}, DType::F32);
      add(prefix + ".mlp.gate.weight", {kExperts, kDim}, DType::BF16);
    }
    const std::string mlp = prefix + (is_moe ? ".mlp.shared_experts" : ".mlp");
    const std::uint64_t inter = is_moe ? kExpertInter : kInter;
    add_scaled(mlp + ".down_proj", {kDim, inter});
    add_scaled(mlp + ".gate_proj", {inter, kDim});
    add_scaled(mlp + ".up_proj", {inter, kDim});
    add(prefix + ".post_attention_layernorm.weight", {kDim}, DType::BF16);
    add(prefix + ".self_attn.kv_a_layernorm.weight", {512}, DType::BF16);
    add_scaled(prefix + ".self_attn.kv_a_proj_with_mqa", {576, kDim});
    add_scaled(prefix + ".self_attn.kv_b_proj", {32'768, 512});
    add_scaled(prefix + ".self_attn.o_proj", {kDim, 16'384});
    add(prefix + ".self_attn.q_a_layernorm.weight", {1536}, DType::BF16);
    add_scaled(prefix + ".self_attn.q_a_proj", {1536, kDim});
    add_scaled(prefix + ".self_attn.q_b_proj", {24'576, 1536});
  }

  void add_scaled(const std::string& name, const Shape& shape) {
    add(name + ".weight", shape, DType::F8_E4M3);
    add(name + ".weight_scale_inv", {(shape[0] + kBlock - 1) / kBlock, (shape[1] + kBlock - 1) / kBlock}, DType::F32);
  }

  void add(std::string name, const Shape& shape, DType dtype) {
    if (catalog.tensors.size() % kTensorsOfAFile == 0) {
      CatalogFile file;
      file.path = "model-" + std::to_string(catalog.files.size()) + ".safetensors";
      file.file_bytes = offset_ = 8;
      catalog.files.push_back(std::move(file));
    }
    TensorInfo tensor;
    tensor.name = std::move(name);
    tensor.dtype = dtype;
    tensor.shape = shape;
    tensor.file = static_cast<std::uint32_t>(catalog.files.size() - 1);
    tensor.offset = offset_;
    tensor.nbytes = *byte_size(dtype, shape.numel());
    catalog.files.back().file_bytes = offset_ += tensor.nbytes;
    catalog.tensors.push_back(std::move(tensor));
  }

  std::uint64_t offset_ = 0;
};

void finish(benchmark::State& state, const Input& input) {
  const auto names = static_cast<double>(input.catalog.tensors.size());
  state.SetComplexityN(static_cast<benchmark::IterationCount>(names));
  state.counters["names"] = names;
  state.counters["s/name"] =
      benchmark::Counter(names, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void only_bind(benchmark::State& state) {
  const Input input(static_cast<std::uint64_t>(state.range(0)));
  for (auto _ : state) {
    const Binding binding = bind(input.catalog, input.map, input.context);
    benchmark::DoNotOptimize(binding.containers.data());
  }
  finish(state, input);
}

void bind_and_validate(benchmark::State& state) {
  const Input input(static_cast<std::uint64_t>(state.range(0)));
  for (auto _ : state) {
    const Binding binding = bind(input.catalog, input.map, input.context);
    const Plan plan = make_plan(input.catalog, binding, input.context);
    benchmark::DoNotOptimize(plan.copies.data());
  }
  finish(state, input);
}

// 61 layers are DeepSeek-V3; the others, for the growth, have from an eighth of its names to twice as many.
void sizes(benchmark::internal::Benchmark* all) {
  for (const std::int64_t layers : {10, 18, 32, 61, 120}) all->Arg(layers);
  all->ArgName("layers")->Unit(benchmark::kMillisecond)->Complexity(benchmark::oN);
}
BENCHMARK(only_bind)->Apply(sizes);
BENCHMARK(bind_and_validate)->Apply(sizes);

}  // namespace
