// A checkpoint's names: all tensor infos of all its files, and its config.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/formats.hpp"
#include "ballast/model_config.hpp"
#include "ballast/tensor_info.hpp"

namespace ballast {

struct CatalogFile {
  std::string path;  // as it is opened
  FileFormat format = FileFormat::safetensors;
  std::uint64_t file_bytes = 0;
  std::uint64_t header_bytes = 0;
  Value metadata;
};

struct OpenOptions {
  HeaderLimits limits;
  // Where config.json lies when it is not beside the weights. Empty: beside them.
  std::string config_path;
};

// What `open_checkpoint` found. Immutable once made; safe to share between threads. Holds no open files.
struct Catalog {
  std::string path;  // as given
  std::vector<CatalogFile> files;
  std::vector<TensorInfo> tensors;     // ordered by file, then by offset, then by name; names are unique
  std::optional<ModelConfig> config;   // from config.json, or from GGUF metadata; nothing where there is neither
  std::vector<std::string> unindexed;  // names that the shards hold and the index does not: left out of `tensors`

  [[nodiscard]] std::uint64_t tensor_bytes() const noexcept;  // of all tensors
  // Linear. Null where there is no such tensor.
  [[nodiscard]] const TensorInfo* find(std::string_view tensor_name) const noexcept;
};

// A weight file; a folder with model.safetensors; a folder with model.safetensors.index.json and its shards; a folder
// with one GGUF file or one safetensors file of another name. Symbolic links (as the hub cache lays them out) are
// followed; a shard name in an index must stay in the folder lexically. All faults of all files are thrown together.
[[nodiscard]] Catalog open_checkpoint(const std::string& path, const OpenOptions& options = {});

}  // namespace ballast
