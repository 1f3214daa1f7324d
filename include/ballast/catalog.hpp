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
  FileIdentity identity;  // when its header was read
  std::uint64_t header_bytes = 0;
  Value metadata;
};

struct OpenOptions {
  HeaderLimits limits;
  // The config.json, or the folder that holds it, when it is not beside the weights; it must be there. Empty: beside
  // them.
  std::string config_path;
};

// What `open_checkpoint` found. Immutable once made; safe to share between threads. Holds no open files.
struct Catalog {
  std::string path;                    // as given
  std::vector<CatalogFile> files;      // of an index or a set of shards: ordered by name
  std::vector<TensorInfo> tensors;     // ordered by file, then as in FileHeader; names are unique
  std::optional<ModelConfig> config;   // from config.json, or from GGUF metadata; nothing where there is neither
  std::vector<std::string> unindexed;  // names that the shards hold and the index does not: left out of `tensors`

  [[nodiscard]] std::uint64_t tensor_bytes() const noexcept;  // of all tensors
  // Linear. Null where there is no such tensor.
  [[nodiscard]] const TensorInfo* find(std::string_view tensor_name) const noexcept;
};

// A weight file; an index.json; or a folder, in which is looked for, in this order:
// - model.safetensors, then model.safetensors.index.json with its shards (the order of transformers)
// - the one checkpoint that is there under other names: a safetensors or GGUF file, an index, or all the shards of one
//   set <stem>-<i>-of-<n>. If there are several, the error lists them.
// The index is the authority on which file a tensor is taken from. A shard name must stay in the folder lexically;
// symbolic links (as the hub cache lays them out) are followed. All faults of all files, and of the config, are thrown
// together.
[[nodiscard]] Catalog open_checkpoint(const std::string& path, const OpenOptions& options = {});

}  // namespace ballast
