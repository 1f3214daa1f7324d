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

  static ContextRules context() {
    return LlamaPolicy::context().with({
        {"tie_word_embeddings", "tie_word_embeddings ?? true"},
    });
  }
};

}  // namespace ballast::models
