// A small Llama checkpoint in a folder of its own, to be made wrong in one way or another.
#pragma once

#include <fmt/format.h>

#include <string>

#include "ballast/load.hpp"
#include "support/fill.hpp"
#include "support/safetensors_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {

struct TinyLlama {
  // What the config says.
  std::string model_type = R"("model_type": "llama",)";
  std::string architectures = R"("architectures": ["LlamaForCausalLM"],)";
  int model_dim = 32, inter = 64, heads = 4, layers = 2, vocab = 8;
  bool tied = false;
  std::string more;  // further members, each with its comma
  // What the file holds.
  bool has_head = true;
  std::uint64_t head_seed = 2;  // 1: the same bytes as the embedding

  [[nodiscard]] std::string config() const {
    return fmt::format(
        R"({{{}{}{}"hidden_size": {}, "intermediate_size": {}, "num_attention_heads": {}, "num_hidden_layers": {}, )"
        R"("vocab_size": {}, "tie_word_embeddings": {}}})",
        model_type, architectures, more, model_dim, inter, heads, layers, vocab, tied);
  }

  // Always of dimension 32 and the like, whatever the config says.
  [[nodiscard]] SafetensorsWriter weights() const {
    SafetensorsWriter writer;
    writer.tensor("model.embed_tokens.weight", DType::BF16, {8, 32}, fill_bytes(DType::BF16, {8, 32}, 1));
    if (has_head) writer.tensor("lm_head.weight", DType::BF16, {8, 32}, fill_bytes(DType::BF16, {8, 32}, head_seed));
    writer.tensor("model.norm.weight", DType::BF16, {32});
    for (const std::string layer : {"model.layers.0.", "model.layers.1."}) {
      for (const char* name : {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj"})
        writer.tensor(layer + name + ".weight", DType::BF16, {32, 32});
      for (const char* name : {"mlp.gate_proj", "mlp.up_proj"})
        writer.tensor(layer + name + ".weight", DType::BF16, {64, 32});
      writer.tensor(layer + "mlp.down_proj.weight", DType::BF16, {32, 64});
      for (const char* name : {"input_layernorm", "post_attention_layernorm"})
        writer.tensor(layer + name + ".weight", DType::BF16, {32});
    }
    return writer;
  }

  // Returns the path of the checkpoint.
  const std::string& write(const TempFolder& folder) const {
    (void)weights().write(folder / "model.safetensors");
    folder.write("config.json", config());
    return folder.path();
  }
};

// Options under which any read of weights is a fault of the test.
[[nodiscard]] inline LoadOptions without_reading(bool& has_read) {
  LoadOptions options;
  options.execute.preadv = [&has_read](int, const ::iovec*, int, std::uint64_t) {
    has_read = true;
    return -1L;
  };
  return options;
}

}  // namespace ballast::test
