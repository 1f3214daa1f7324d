#include "catalog/quantisation.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "catalog/describe.hpp"
#include "catalog/json_text.hpp"
#include "catalog/paths.hpp"

namespace ballast::catalog {
namespace {

constexpr JsonKind kQuantJson{Errc::config_invalid, "hf_quant_config.json", "read config", 32ULL << 20U};
constexpr std::string_view kUnknown = "unknown";

std::string_view text(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  const auto* string = value == nullptr ? nullptr : value->string();
  return string == nullptr ? std::string_view() : std::string_view(*string);
}

bool states(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  return value != nullptr && !value->is_null();
}

// Configs without quant_method: by the keys that only one tool writes. The first that is there counts.
std::string_view method_of_keys(const Value& config) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kKeys{{
      {"quant_algo", "modelopt"},
      {"load_in_4bit", "bitsandbytes"},
      {"load_in_8bit", "bitsandbytes"},
      {"bnb_4bit_quant_type", "bitsandbytes"},
      {"config_groups", "compressed-tensors"},
      {"quantization_status", "compressed-tensors"},
      {"global_quant_config", "quark"},
      {"weight_block_size", "fp8"},
      {"activation_scheme", "fp8"},
      {"w_bit", "awq"},
      {"q_group_size", "awq"},
      {"desc_act", "gptq"},
      {"damp_percent", "gptq"},
  }};
  for (const auto& [key, method] : kKeys)
    if (states(config, key)) return method;
  return kUnknown;
}

// Which of the forms of its method: an algorithm or format by name, else bits and group size.
std::string details_of(const Value& config) {
  for (const char* key : {"quant_algo", "bnb_4bit_quant_type", "format", "fmt", "quant_type"})
    if (const std::string_view name = text(config, key); !name.empty()) return printable(name, 60);
  const auto number = [&](std::initializer_list<std::string_view> keys) -> std::optional<std::uint64_t> {
    for (const std::string_view key : keys)
      if (const Value* value = config.find(key); value != nullptr && value->unsigned_integer())
        return value->unsigned_integer();
    return std::nullopt;
  };
  const auto bits = number({"bits", "w_bit", "nbits", "weight_bits"});
  const auto group = number({"group_size", "q_group_size"});
  if (bits && group) return fmt::format("{} bits in groups of {}", *bits, *group);
  if (bits) return fmt::format("{} bits", *bits);
  return {};
}

void set(ModelConfig& config, std::string_view method, const Value& value, std::string key, std::string path) {
  config.quantisation = method;
  config.quantisation_details = details_of(value);
  config.quantisation_key = std::move(key);
  config.quantisation_path = std::move(path);
}

// A `quantization` that states an algorithm (ModelOpt, TensorRT-LLM) or MLX's bits; one whose algorithm is null is that
// of plain weights.
void read_short_key(const Value& value, const std::string& key, const std::string& path, ModelConfig& config) {
  if (const std::string_view algorithm = text(value, "quant_algo"); !algorithm.empty())
    set(config, "modelopt", value, key, path);
  else if (states(value, "bits") && !states(value, "quant_method"))
    set(config, "mlx", value, key, path);
  else if (const std::string_view method = text(value, "quant_method"); !method.empty())
    set(config, method, value, key, path);
}

// Models of several parts keep the config of their language model in one of these.
constexpr std::array<std::string_view, 4> kNested{"text_config", "llm_config", "language_config", "thinker_config"};

bool read_long_key(ConfigReader& reader, const Value& document, const std::string& prefix, ModelConfig& config) {
  for (const char* key : {"quantization_config", "compression_config"}) {
    const Value* value = document.find(key);
    if (value == nullptr || value->is_null()) continue;
    if (value->object() == nullptr) reader.add_fault(prefix + key, "an object", *value);
    const std::string_view method = text(*value, "quant_method");
    set(config, method.empty() ? method_of_keys(*value) : method, *value, prefix + key, config.path);
    return true;
  }
  return false;
}

void read_document(ConfigReader& reader, const Value& document, const std::string& prefix, ModelConfig& config) {
  // MLX writes both keys; the short one says that it is MLX.
  if (const Value* value = document.find("quantization"); value != nullptr && value->object() != nullptr)
    read_short_key(*value, prefix + "quantization", config.path, config);
  if (!config.quantisation.empty() || read_long_key(reader, document, prefix, config)) return;
  for (const std::string_view name : kNested)
    if (const Value* nested = document.find(name); nested != nullptr && nested->object() != nullptr)
      if (config.quantisation.empty()) read_document(reader, *nested, fmt::format("{}{}.", prefix, name), config);
}

}  // namespace

void read_quantisation(ConfigReader& reader, ModelConfig& config) {
  read_document(reader, config.document, {}, config);
}

void read_quantisation_beside(const std::string& folder, ModelConfig& config, Diagnostics& faults) {
  const std::string path = join(folder, kQuantJson.noun);
  if (!config.quantisation.empty() || status_of(path).kind == PathKind::absent) return;
  try {
    simdjson::dom::parser parser;
    const std::string json = tolerate_python_numbers(read_json_text(path, kQuantJson));
    const Value document = to_value(parse_json(parser, json, kQuantJson, path));
    if (const Value* value = document.find("quantization"); value != nullptr && value->object() != nullptr)
      read_short_key(*value, "quantization", path, config);
  } catch (const Error& error) {
    faults.append(error.faults());
  }
}

}  // namespace ballast::catalog
