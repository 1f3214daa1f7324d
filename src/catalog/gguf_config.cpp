#include <string>
#include <string_view>

#include "ballast/model_config.hpp"
#include "catalog/config_reader.hpp"

namespace ballast {

ModelConfig model_config_from_gguf(const Value& metadata, const std::string& path) {
  ModelConfig config;
  config.path = path;
  config.from_gguf = true;
  config.document = metadata;
  catalog::ConfigReader reader(config.document, nullptr, "", path);
  config.model_type = reader.text("general.architecture");
  const auto number = [&](std::string_view key) { return reader.number({config.model_type + "." + std::string(key)}); };
  config.model_dim = number("embedding_length");
  config.n_layers = number("block_count");
  config.n_heads = number("attention.head_count");
  config.n_heads_kv = number("attention.head_count_kv");
  config.head_size = number("attention.key_length");
  config.intermediate_dim = number("feed_forward_length");
  config.vocab_size = number("vocab_size");
  config.n_experts = number("expert_count");
  config.moe_intermediate_dim = number("expert_feed_forward_length");
  config.shared_intermediate_dim = number("expert_shared_feed_forward_length");
  config.max_positions = number("context_length");
  config.type_vocab_size = reader.number({"tokenizer.ggml.token_type_count"});
  if (config.vocab_size == 0)
    if (const Value* tokens = config.document.find("tokenizer.ggml.tokens"); tokens != nullptr && tokens->array())
      config.vocab_size = tokens->array()->size();
  reader.throw_if_any();
  return config;
}

}  // namespace ballast
