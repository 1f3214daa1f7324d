// SmolLM3: Llama, with the head tied unless the config says otherwise.
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/llama.hpp"

namespace ballast::models {

struct SmolLm3Policy : LlamaPolicy {
  static constexpr std::string_view name = "smollm3";
  static constexpr std::array<std::string_view, 1> model_types{"smollm3"};
  static constexpr std::array<std::string_view, 1> architectures{"SmolLM3ForCausalLM"};

  static ModelContext context(const ModelConfig& config) {
    ModelContext m = LlamaPolicy::context(config);
    m.tie_word_embeddings = config.tie_word_embeddings.value_or(true);
    return m;
  }
};

}  // namespace ballast::models
