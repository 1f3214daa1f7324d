// Planning all 8 ranks of a DeepSeek-V3-sized model: 61 layers and one for prediction, 58 + 1 of them with 256 experts,
// each weight with a tensor of scales. Bound once, planned eight times, and the reads of all ranks joined: everything
// between the headers and the first read; at most 0.5 s and 300 MB.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ballast/load.hpp"

namespace {

using namespace ballast;

constexpr std::uint64_t kRanks = 8;
constexpr std::uint64_t kDenseLayers = 3, kExpertLayers = 59, kExperts = 256;
constexpr std::uint64_t kDim = 7168, kInter = 2048, kDenseInter = 18'432, kHeads = 128, kVocab = 129'280;
constexpr std::uint64_t kBlock = 128;  // of a scale, each way
constexpr std::uint64_t kTensorsOfAFile = 560;

using Finalize = decltype(ParameterSchema::finalize);

DependencySchema one(std::string name) { return {std::move(name), DependencyKind::single, {}, {}}; }
DependencySchema list(std::string name) { return {std::move(name), DependencyKind::list, "n_experts", {}}; }

Recipe part(const ModelContext& m, const Recipe& x, std::uint64_t axis, std::uint64_t granularity) {
  return shard(x, axis, m.tp_rank, m.tp_size, granularity);
}

// A weight and its scales, shared out along an axis. `granularity` counts rows or columns of the weight.
ParameterSchema scaled(std::string name, std::uint64_t axis, std::uint64_t granularity) {
  return {std::move(name), "Scaled", {one("weight"), one("scale")}, [=](const ModelContext& m, const Operands& o) {
            const std::uint64_t scales = std::max<std::uint64_t>(granularity / kBlock, 1);
            return part(m, o[0][0], axis, granularity).with_aux("scale", part(m, o[1][0], axis, scales));
          }};
}

ParameterSchema whole(std::string name) {
  return {std::move(name), "Whole", {one("weight")}, [](const ModelContext&, const Operands& o) { return o[0][0]; }};
}

ParameterSchema experts_1() {
  return {"moe_mlp_1",
          "GatedExperts",
          {list("gates"), list("ups"), list("gate_scales"), list("up_scales")},
          [](const ModelContext& m, const Operands& o) {
            const Recipe scales = concat(1, part(m, stack(o[2]), 1, 1), part(m, stack(o[3]), 1, 1));
            return m.transform_gated_moe_mlp_1(stack(o[0]), stack(o[1])).with_aux("scale", scales);
          }};
}

ParameterSchema experts_2() {
  return {"moe_mlp_2", "Experts", {list("downs"), list("scales")}, [](const ModelContext& m, const Operands& o) {
            return m.transform_moe_mlp_2(stack(o[0])).with_aux("scale", part(m, stack(o[1]), 2, 1));
          }};
}

struct Names {
  const char* parameter;
  const char* tensor;
};
// What every layer has, by rows, by columns or whole on each rank.
constexpr Names kRows[]{{"q_b", "self_attn.q_b_proj"}, {"kv_b", "self_attn.kv_b_proj"}};
constexpr Names kColumns[]{{"attn_out_w", "self_attn.o_proj"}};
constexpr Names kWhole[]{{"q_a", "self_attn.q_a_proj.weight"},
                         {"q_a_scale", "self_attn.q_a_proj.weight_scale_inv"},
                         {"kv_a", "self_attn.kv_a_proj_with_mqa.weight"},
                         {"kv_a_scale", "self_attn.kv_a_proj_with_mqa.weight_scale_inv"},
                         {"q_a_norm", "self_attn.q_a_layernorm.weight"},
                         {"kv_a_norm", "self_attn.kv_a_layernorm.weight"},
                         {"attn_norm_gamma", "input_layernorm.weight"},
                         {"mlp_norm_gamma", "post_attention_layernorm.weight"}};

using Rules = std::vector<std::pair<std::string, std::vector<std::string>>>;

class LayerMaker {
 public:
  LayerMaker() {
    for (const Names& n : kRows) add(scaled(n.parameter, 0, 256), n.tensor);
    for (const Names& n : kColumns) add(scaled(n.parameter, 1, 128), n.tensor);
    for (const Names& n : kWhole) {
      parameters.push_back(whole(n.parameter));
      rules.push_back({n.tensor, {std::string(n.parameter) + ".weight"}});
    }
  }
  void add(ParameterSchema parameter, const std::string& tensor) {
    rules.push_back({tensor + ".weight", {parameter.name + ".weight"}});
    rules.push_back({tensor + ".weight_scale_inv", {parameter.name + ".scale"}});
    parameters.push_back(std::move(parameter));
  }
  void add_mlp(const std::string& prefix) {
    add(scaled("gate", 0, 128), prefix + "gate_proj");
    add(scaled("up", 0, 128), prefix + "up_proj");
    add(scaled("down", 1, 128), prefix + "down_proj");
  }

  std::vector<ParameterSchema> parameters;
  Rules rules;
};

ContainerSchema dense_schema() {
  LayerMaker layer;
  layer.add_mlp("mlp.");
  return ContainerSchema::make("dense_layer", std::move(layer.parameters), layer.rules);
}

ContainerSchema expert_schema() {
  LayerMaker layer;
  layer.add_mlp("mlp.shared_experts.");
  layer.parameters.push_back(experts_1());
  layer.parameters.push_back(experts_2());
  layer.parameters.push_back(whole("moe_gate"));
  layer.parameters.push_back(whole("moe_gate_bias"));
  layer.rules.insert(layer.rules.end(), {{"mlp.experts.*.gate_proj.weight", {"moe_mlp_1.gates"}},
                                         {"mlp.experts.*.up_proj.weight", {"moe_mlp_1.ups"}},
                                         {"mlp.experts.*.gate_proj.weight_scale_inv", {"moe_mlp_1.gate_scales"}},
                                         {"mlp.experts.*.up_proj.weight_scale_inv", {"moe_mlp_1.up_scales"}},
                                         {"mlp.experts.*.down_proj.weight", {"moe_mlp_2.downs"}},
                                         {"mlp.experts.*.down_proj.weight_scale_inv", {"moe_mlp_2.scales"}},
                                         {"mlp.gate.weight", {"moe_gate.weight"}},
                                         {"mlp.gate.e_score_correction_bias", {"moe_gate_bias.weight"}}});
  return ContainerSchema::make("expert_layer", std::move(layer.parameters), layer.rules);
}

ContainerSchema rest_schema() {
  return ContainerSchema::make(
      "rest",
      {whole("word_emb"),
       whole("final_norm"),
       {"word_unembed",
        "Unembed",
        {one("weight")},
        [](const ModelContext& m, const Operands& o) { return m.transform_unembed(o[0][0]); }}},
      {{"model.embed_tokens.weight", {"word_emb.weight"}},
       {"model.norm.weight", {"final_norm.weight"}},
       {"lm_head.weight", {"word_unembed.weight"}}});
}

class DeepSeekSized final : public InferencePolicy {
 public:
  [[nodiscard]] std::string_view name() const override { return "deepseek_sized"; }
  [[nodiscard]] std::vector<std::string_view> model_types() const override { return {"deepseek_sized"}; }
  [[nodiscard]] std::vector<std::string_view> architectures() const override { return {}; }
  [[nodiscard]] ModelContext context(const ModelConfig& config) const override {
    ModelContext context = ModelContext::from_config(config);
    context.intermediate_dim = kInter;
    return context;
  }
  [[nodiscard]] ContainerMap container_map(const ModelContext&) const override {
    std::vector<const ContainerSchema*> layers(kDenseLayers, &dense_);
    layers.insert(layers.end(), kExpertLayers, &expert_);
    return ContainerMap().layers({"model.layers"}, std::move(layers)).non_transformer(rest_);
  }

 private:
  ContainerSchema dense_ = dense_schema(), expert_ = expert_schema(), rest_ = rest_schema();
};

class CatalogMaker {
 public:
  CatalogMaker() {
    catalog_.config.emplace();
    catalog_.config->model_type = "deepseek_sized";
    catalog_.config->model_dim = kDim;
    catalog_.config->n_layers = kDenseLayers + kExpertLayers;
    catalog_.config->n_heads = kHeads;
    catalog_.config->head_size = 128;
    catalog_.config->n_experts = kExperts;
    catalog_.config->vocab_size = kVocab;
    add("model.embed_tokens.weight", DType::BF16, {kVocab, kDim});
    for (std::uint64_t l = 0; l < kDenseLayers + kExpertLayers; ++l)
      add_layer("model.layers." + std::to_string(l) + ".", l >= kDenseLayers);
    add("model.norm.weight", DType::BF16, {kDim});
    add("lm_head.weight", DType::BF16, {kVocab, kDim});
  }
  [[nodiscard]] Catalog take() { return std::move(catalog_); }

 private:
  void add_layer(const std::string& prefix, bool has_experts) {
    add(prefix + "input_layernorm.weight", DType::BF16, {kDim});
    if (has_experts) {
      for (std::uint64_t e = 0; e < kExperts; ++e) add_mlp(prefix + "mlp.experts." + std::to_string(e) + ".", kInter);
      add(prefix + "mlp.gate.e_score_correction_bias", DType::F32, {kExperts});
      add(prefix + "mlp.gate.weight", DType::BF16, {kExperts, kDim});
      add_mlp(prefix + "mlp.shared_experts.", kInter);
    } else {
      add_mlp(prefix + "mlp.", kDenseInter);
    }
    add(prefix + "post_attention_layernorm.weight", DType::BF16, {kDim});
    add(prefix + "self_attn.kv_a_layernorm.weight", DType::BF16, {512});
    add_scaled(prefix + "self_attn.kv_a_proj_with_mqa", 576, kDim);
    add_scaled(prefix + "self_attn.kv_b_proj", kHeads * 256, 512);
    add_scaled(prefix + "self_attn.o_proj", kDim, kHeads * 128);
    add(prefix + "self_attn.q_a_layernorm.weight", DType::BF16, {1536});
    add_scaled(prefix + "self_attn.q_a_proj", 1536, kDim);
    add_scaled(prefix + "self_attn.q_b_proj", kHeads * 192, 1536);
  }

  void add_mlp(const std::string& prefix, std::uint64_t inter) {
    add_scaled(prefix + "down_proj", kDim, inter);
    add_scaled(prefix + "gate_proj", inter, kDim);
    add_scaled(prefix + "up_proj", inter, kDim);
  }

  void add_scaled(const std::string& name, std::uint64_t rows, std::uint64_t columns) {
    add(name + ".weight", DType::F8_E4M3, {rows, columns});
    add(name + ".weight_scale_inv", DType::F32, {(rows + kBlock - 1) / kBlock, (columns + kBlock - 1) / kBlock});
  }

  void add(std::string name, DType dtype, const Shape& shape) {
    if (catalog_.tensors.size() % kTensorsOfAFile == 0) {
      CatalogFile file;
      file.path = "model-" + std::to_string(catalog_.files.size()) + ".safetensors";
      offset_ = 8;
      catalog_.files.push_back(std::move(file));
    }
    TensorInfo tensor;
    tensor.name = std::move(name);
    tensor.dtype = dtype;
    tensor.shape = shape;
    tensor.file = static_cast<std::uint32_t>(catalog_.files.size() - 1);
    tensor.offset = offset_;
    tensor.nbytes = *byte_size(dtype, shape.numel());
    catalog_.files.back().file_bytes = offset_ += tensor.nbytes;
    catalog_.tensors.push_back(std::move(tensor));
  }

  Catalog catalog_;
  std::uint64_t offset_ = 0;
};

// In MB: "VmRSS" (now) or "VmHWM" (the most since it was last reset).
double memory(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(key)) return std::strtod(line.c_str() + key.size() + 1, nullptr) * 1024 / 1e6;
  return 0;
}
void reset_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

void plan_all_ranks(benchmark::State& state) {
  PolicyRegistry policies;
  policies.add(std::make_unique<const DeepSeekSized>());
  const double before = memory("VmRSS");
  const auto catalog = std::make_shared<const Catalog>(CatalogMaker().take());
  LoadOptions options;
  options.policies = &policies;
  options.tp_size = kRanks;
  double bind = 0, peak = 0;
  std::size_t copies = 0;
  for (auto _ : state) {
    reset_peak();
    const PreparedRanks prepared = prepare_ranks(catalog, options);
    bind = prepared.seconds.bind;
    copies = prepared.reads.copies.size();
    if (prepared.reads.bytes_needed != catalog->tensor_bytes()) state.SkipWithError("not all is needed once");
    peak = std::max(peak, memory("VmHWM"));
  }
  state.counters["tensors"] = static_cast<double>(catalog->tensors.size());
  state.counters["copies"] = static_cast<double>(copies);
  state.counters["bind_ms"] = bind * 1e3;
  state.counters["MB"] = peak - before;  // the catalog too
}
BENCHMARK(plan_all_ranks)->Unit(benchmark::kMillisecond);

}  // namespace
