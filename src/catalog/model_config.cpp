#include "ballast/model_config.hpp"

#include <utility>

#include "catalog/config_reader.hpp"
#include "catalog/describe.hpp"
#include "catalog/json_text.hpp"
#include "catalog/quantisation.hpp"

namespace ballast {
namespace {

using namespace catalog;

// Keys of GGUF metadata have dots in them, so the whole rest of the path is tried as one key before its first part is.
const Value* find_path(const Value& value, std::string_view path) noexcept {
  if (const Value* whole = value.find(path)) return whole;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1)) {
    const Value* part = value.find(path.substr(0, dot));
    if (part == nullptr) continue;
    if (const Value* found = find_path(*part, path.substr(dot + 1))) return found;
  }
  return nullptr;
}

void read_numbers(ConfigReader& reader, ModelConfig& config) {
  config.model_dim = reader.number({"hidden_size", "n_embd", "n_embed", "d_model", "dim"});
  config.n_layers = reader.number({"num_hidden_layers", "n_layer", "n_layers", "num_layers"});
  config.n_heads = reader.number({"num_attention_heads", "n_head", "n_heads"});
  config.n_heads_kv = reader.number({"num_key_value_heads", "n_head_kv", "num_kv_heads"});
  config.head_size = reader.number({"head_dim"});
  config.intermediate_dim = reader.number({"intermediate_size", "n_inner", "ffn_dim", "d_ff", "ffn_hidden_size"});
  config.vocab_size = reader.number({"vocab_size"});
  config.n_experts = reader.number({"num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"});
  config.moe_intermediate_dim = reader.number({"moe_intermediate_size"});
  config.shared_intermediate_dim = reader.number({"shared_expert_intermediate_size"});
  config.max_positions = reader.number({"max_position_embeddings", "n_positions", "max_sequence_length", "seq_length"});
  config.type_vocab_size = reader.number({"type_vocab_size"});
}

std::vector<std::string> read_architectures(ConfigReader& reader, const Value& document) {
  const Value* value = document.find("architectures");
  if (value == nullptr || value->is_null()) return {};
  std::vector<std::string> architectures;
  if (const auto* array = value->array()) {
    for (const Value& element : *array)
      if (const auto* name = element.string()) architectures.push_back(*name);
    if (architectures.size() == array->size()) return architectures;
  }
  reader.add_fault("architectures", "an array of strings", *value);
  return {};
}

// Advice only ("auto" is common), so what is no dtype is no fault either.
std::optional<DType> read_dtype(const ConfigReader& reader) {
  const Value* value = reader.find({"dtype", "torch_dtype"}).value;
  const auto* text = value == nullptr ? nullptr : value->string();
  return text == nullptr ? std::nullopt : dtype_from_text(*text);
}

}  // namespace

std::optional<std::uint64_t> ModelConfig::number(std::string_view dotted_path) const noexcept {
  const Value* value = find(dotted_path);
  return value == nullptr ? std::nullopt : value->unsigned_integer();
}

std::optional<bool> ModelConfig::flag(std::string_view dotted_path) const noexcept {
  const Value* value = find(dotted_path);
  return value == nullptr ? std::nullopt : value->boolean();
}

const Value* ModelConfig::find(std::string_view dotted_path) const noexcept {
  const Value* found = find_path(document, dotted_path);
  const Value* text_config = document.find("text_config");
  if (text_config == nullptr || (found != nullptr && !found->is_null())) return found;
  const Value* nested = find_path(*text_config, dotted_path);
  return nested != nullptr ? nested : found;
}

ModelConfig parse_model_config(std::string_view json, const std::string& path) {
  ModelConfig config;
  config.path = path;
  {
    simdjson::dom::parser parser;
    config.document = to_value(parse_json(parser, tolerate_python_numbers(json), kConfigJson, path));
  }
  if (config.document.object() == nullptr) {
    Diagnostic diagnostic;
    diagnostic.code = Errc::config_invalid;
    diagnostic.operation = kConfigJson.operation;
    diagnostic.file = path;
    diagnostic.what = "the config.json is not an object";
    diagnostic.got = describe(config.document);
    throw Error(std::move(diagnostic));
  }
  ConfigReader reader(config.document, config.document.find("text_config"), "text_config", path);
  config.model_type = reader.text("model_type");
  config.architectures = read_architectures(reader, config.document);
  read_numbers(reader, config);
  config.tie_word_embeddings = reader.boolean("tie_word_embeddings");
  config.dtype = read_dtype(reader);
  read_quantisation(reader, config);
  reader.throw_if_any();
  return config;
}

}  // namespace ballast
