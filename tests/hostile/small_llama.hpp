// A Llama of one layer, as small as the layout rules allow: something to break.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ballast/load.hpp"
#include "support/faults.hpp"
#include "support/gguf_writer.hpp"
#include "support/safetensors_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {

inline constexpr const char* kSmallConfig =
    R"({"model_type": "llama", "hidden_size": 4, "num_hidden_layers": 1, "num_attention_heads": 2,)"
    R"( "num_key_value_heads": 1, "intermediate_size": 32, "vocab_size": 8, "tie_word_embeddings": false})";

// All tensors, or every second one from `first` (0 or 1).
[[nodiscard]] SafetensorsWriter small_safetensors(std::optional<std::size_t> first = std::nullopt);
[[nodiscard]] GgufWriter small_gguf();
[[nodiscard]] std::vector<std::string> small_names(std::size_t first);

// A folder with the small model's config and these weights.
void write_model(const TempFolder& folder, std::string_view weights, std::string_view config = kSmallConfig);

// Loads to the end with as little memory as can be had. What it throws, which must be a ballast::Error that says
// something; nothing where the load succeeds.
[[nodiscard]] std::optional<Error> load_error(const std::string& path);

// Most memory that this process has had, in bytes.
[[nodiscard]] std::uint64_t peak_memory();
// Far above what small loads take (also where a sanitizer keeps freed memory for a while), far below what a wrong count
// or size in a header asks for.
inline constexpr std::uint64_t kLittleMemory = std::uint64_t{768} << 20;

}  // namespace ballast::test
