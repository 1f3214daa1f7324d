#include <limits>
#include <map>

#include "inspect.hpp"

namespace ballast::cli {

namespace {

constexpr std::size_t kShortArray = 32;

Json config_json(const ModelConfig& config) {
  Json json{{"path", config.path},
            {"model_type", config.model_type},
            {"architectures", config.architectures},
            {"model_dim", config.model_dim},
            {"n_layers", config.n_layers},
            {"n_heads", config.n_heads},
            {"n_heads_kv", config.n_heads_kv},
            {"head_size", config.head_size},
            {"intermediate_dim", config.intermediate_dim},
            {"vocab_size", config.vocab_size},
            {"n_experts", config.n_experts},
            {"max_positions", config.max_positions},
            {"type_vocab_size", config.type_vocab_size},
            {"tie_word_embeddings", nullptr},
            {"dtype", nullptr},
            {"quantisation", config.quantisation}};
  if (config.tie_word_embeddings) json["tie_word_embeddings"] = *config.tie_word_embeddings;
  if (config.dtype) json["dtype"] = torch_name(*config.dtype);
  return json;
}

Json files_json(const Catalog& catalog, bool all) {
  Json files = Json::array();
  for (const CatalogFile& file : catalog.files)
    files.push_back(
        {{"path", file.path},
         {"format", name(file.format)},
         {"file_bytes", file.file_bytes},
         {"header_bytes", file.header_bytes},
         {"metadata", to_json(file.metadata, all ? std::numeric_limits<std::size_t>::max() : kShortArray)}});
  return files;
}

Json totals_json(const Catalog& catalog) {
  struct Total {
    std::uint64_t tensors = 0, bytes = 0;
  };
  std::map<DType, Total> by_dtype;
  for (const TensorInfo& tensor : catalog.tensors) {
    ++by_dtype[tensor.dtype].tensors;
    by_dtype[tensor.dtype].bytes += tensor.nbytes;
  }
  Json json{{"tensors", catalog.tensors.size()}, {"bytes", catalog.tensor_bytes()}, {"by_dtype", Json::object()}};
  for (const auto& [dtype, total] : by_dtype)
    json["by_dtype"][std::string(torch_name(dtype))] = {{"tensors", total.tensors}, {"bytes", total.bytes}};
  return json;
}

}  // namespace

Json inspect_json(const Catalog& catalog, bool all) {
  Json tensors = Json::array();
  for (const TensorInfo& tensor : catalog.tensors)
    tensors.push_back({{"name", tensor.name},
                       {"dtype", torch_name(tensor.dtype)},
                       {"shape", to_json(tensor.shape)},
                       {"nbytes", tensor.nbytes},
                       {"file", tensor.file},
                       {"offset", tensor.offset}});
  return {{"path", catalog.path},
          {"config", catalog.config ? config_json(*catalog.config) : Json(nullptr)},
          {"files", files_json(catalog, all)},
          {"tensors", std::move(tensors)},
          {"totals", totals_json(catalog)},
          {"unindexed", catalog.unindexed}};
}

}  // namespace ballast::cli
