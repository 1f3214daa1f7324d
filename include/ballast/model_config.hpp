// The numbers of a model, read from config.json or from GGUF metadata.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/dtype.hpp"
#include "ballast/value.hpp"

namespace ballast {

// A typed view of what nearly every architecture states, and the whole document for what only some do. Absent numbers
// are 0; `ModelContext` is where defaults are applied and absences become errors.
struct ModelConfig {
  std::string path;  // the file it was read from
  bool from_gguf = false;
  std::string model_type;                  // config.json "model_type"; GGUF "general.architecture"; may be empty
  std::vector<std::string> architectures;  // config.json "architectures"

  // The first name that is there counts; null is absent. What the top level of a config.json lacks, its "text_config"
  // supplies (not model_type and architectures). An array with one number per layer counts where all are equal.
  std::uint64_t model_dim = 0;         // hidden_size | n_embd | n_embed | d_model | dim; <arch>.embedding_length
  std::uint64_t n_layers = 0;          // num_hidden_layers | n_layer | n_layers | num_layers; <arch>.block_count
  std::uint64_t n_heads = 0;           // num_attention_heads | n_head | n_heads; <arch>.attention.head_count
  std::uint64_t n_heads_kv = 0;        // num_key_value_heads | n_head_kv | num_kv_heads; <arch>.attention.head_count_kv
  std::uint64_t head_size = 0;         // head_dim; <arch>.attention.key_length
  std::uint64_t intermediate_dim = 0;  // intermediate_size | n_inner | ffn_dim | d_ff | ffn_hidden_size;
                                       // <arch>.feed_forward_length
  std::uint64_t vocab_size = 0;        // vocab_size; <arch>.vocab_size | length of tokenizer.ggml.tokens
  std::uint64_t n_experts = 0;         // num_local_experts | num_experts | n_routed_experts | moe_num_experts;
                                       // <arch>.expert_count
  std::uint64_t moe_intermediate_dim = 0;     // moe_intermediate_size; <arch>.expert_feed_forward_length
  std::uint64_t shared_intermediate_dim = 0;  // shared_expert_intermediate_size;
                                              // <arch>.expert_shared_feed_forward_length
  std::uint64_t max_positions = 0;          // max_position_embeddings | n_positions | max_sequence_length | seq_length;
                                            // <arch>.context_length
  std::uint64_t type_vocab_size = 0;        // type_vocab_size; tokenizer.ggml.token_type_count
  std::optional<bool> tie_word_embeddings;  // nothing for GGUF, which does not state it
  std::optional<DType> dtype;               // dtype | torch_dtype; nothing where that names no dtype ("auto")
  // The scheme: quant_method of quantization_config | compression_config, also of a nested text model; "mlx" for MLX's
  // `quantization`; "modelopt" for a hf_quant_config.json beside the weights. Where no method is stated, what the other
  // keys tell, else "unknown". Empty when plain, and for GGUF, where the dtypes of the tensors say it.
  std::string quantisation;
  std::string quantisation_details;  // "NVFP4", "4 bits in groups of 128"; may be empty
  std::string quantisation_key;      // "text_config.quantization_config"
  std::string quantisation_path;     // the file that says it

  Value document;  // config.json itself, or the GGUF metadata as one object

  // A number anywhere in the document by dotted path ("text_config.hidden_size"); nothing where absent or no number.
  // Keys with dots in them ("llama.block_count") are found too.
  [[nodiscard]] std::optional<std::uint64_t> number(std::string_view dotted_path) const noexcept;
  [[nodiscard]] std::optional<bool> flag(std::string_view dotted_path) const noexcept;
  // What the top level lacks, or has as null, "text_config" supplies, here too.
  [[nodiscard]] const Value* find(std::string_view dotted_path) const noexcept;
};

// Throws Error(config_invalid) where the text is not JSON, is not an object, or states a number of the wrong kind; all
// such faults together. A missing model_type is not a fault here. Reads what Python's json module writes, beyond JSON
// itself: NaN and the infinities (as null), integers of any length, and of a key that occurs twice the last.
[[nodiscard]] ModelConfig parse_model_config(std::string_view json, const std::string& path);
[[nodiscard]] ModelConfig model_config_from_gguf(const Value& metadata, const std::string& path);

}  // namespace ballast
