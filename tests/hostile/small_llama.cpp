#include "hostile/small_llama.hpp"

#include <sys/resource.h>

#include <array>

namespace ballast::test {
namespace {

struct Stored {
  const char* name;
  const char* gguf_name;
  Shape shape;
};

const std::array<Stored, 12>& stored() {
  static const std::array<Stored, 12> all{{
      {"model.embed_tokens.weight", "token_embd.weight", {8, 4}},
      {"model.layers.0.self_attn.q_proj.weight", "blk.0.attn_q.weight", {4, 4}},
      {"model.layers.0.self_attn.k_proj.weight", "blk.0.attn_k.weight", {2, 4}},
      {"model.layers.0.self_attn.v_proj.weight", "blk.0.attn_v.weight", {2, 4}},
      {"model.layers.0.self_attn.o_proj.weight", "blk.0.attn_output.weight", {4, 4}},
      {"model.layers.0.mlp.gate_proj.weight", "blk.0.ffn_gate.weight", {32, 4}},
      {"model.layers.0.mlp.up_proj.weight", "blk.0.ffn_up.weight", {32, 4}},
      {"model.layers.0.mlp.down_proj.weight", "blk.0.ffn_down.weight", {4, 32}},
      {"model.layers.0.input_layernorm.weight", "blk.0.attn_norm.weight", {4}},
      {"model.layers.0.post_attention_layernorm.weight", "blk.0.ffn_norm.weight", {4}},
      {"model.norm.weight", "output_norm.weight", {4}},
      {"lm_head.weight", "output.weight", {8, 4}},
  }};
  return all;
}

}  // namespace

SafetensorsWriter small_safetensors(std::optional<std::size_t> first) {
  SafetensorsWriter writer;
  for (std::size_t i = first.value_or(0); i < stored().size(); i += first ? 2 : 1)
    writer.tensor(stored()[i].name, DType::F16, stored()[i].shape);
  return writer;
}

std::vector<std::string> small_names(std::size_t first) {
  std::vector<std::string> names;
  for (std::size_t i = first; i < stored().size(); i += 2) names.emplace_back(stored()[i].name);
  return names;
}

GgufWriter small_gguf() {
  GgufWriter writer;
  writer.text("general.architecture", "llama")
      .u32("llama.block_count", 1)
      .u32("llama.embedding_length", 4)
      .u32("llama.attention.head_count", 2)
      .u32("llama.attention.head_count_kv", 1)
      .u32("llama.feed_forward_length", 32)
      .u32("llama.vocab_size", 8);
  for (const Stored& one : stored()) writer.tensor(one.gguf_name, DType::F16, one.shape);
  return writer;
}

void write_model(const TempFolder& folder, std::string_view weights, std::string_view config) {
  folder.write("model.safetensors", weights);
  folder.write("config.json", config);
}

std::optional<Error> load_error(const std::string& path) {
  LoadOptions options;
  options.execute.threads = 1;
  options.execute.staging_bytes = 64 << 10;
  try {
    (void)load(path, options);
  } catch (const Error& error) {
    EXPECT_GT(error.total(), 0U);
    EXPECT_NE(std::string_view(error.what()), "");
    return error;
  } catch (const std::exception& error) {
    ADD_FAILURE() << "something else than ballast::Error was thrown: " << error.what();
  }
  return std::nullopt;
}

std::uint64_t peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace ballast::test
