#include "catalog/read_files.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "catalog/describe.hpp"
#include "catalog/paths.hpp"

namespace ballast::catalog {
namespace {

constexpr std::uint32_t kNoShard = ~std::uint32_t{0};

Diagnostic missing_shard(const std::string& path, const PathStatus& status) {
  Diagnostic diagnostic = open_fault(Errc::shard_missing, path, "a file of the checkpoint is missing");
  diagnostic.cause = "an incomplete download?";
  if (status.kind == PathKind::dangling_link) {
    diagnostic.got = "a symbolic link to " + quoted(status.link_target) + ", which does not exist";
    diagnostic.cause = "an incomplete download, or a cache that was moved or cleaned?";
  }
  return diagnostic;
}

// The header of one file; its faults are added and nothing is returned where it cannot be had. An entry of
// `catalog.files` is made in any case, so that files keep their numbers.
std::optional<FileHeader> read_one(const std::string& path, const HeaderLimits& limits, Catalog& catalog,
                                   Diagnostics& faults) {
  CatalogFile& entry = catalog.files.emplace_back();
  entry.path = path;
  const PathStatus status = status_of(path);
  if (status.kind == PathKind::absent || status.kind == PathKind::dangling_link) {
    faults.add(missing_shard(path, status));
    return std::nullopt;
  }
  try {
    const InputFile file(path);
    FileHeader header = read_header(file, limits);
    entry.identity = file.identity();
    entry.format = header.format;
    entry.file_bytes = header.file_bytes;
    entry.header_bytes = header.header_bytes;
    entry.metadata = std::move(header.metadata);
    return header;
  } catch (const Error& error) {
    faults.append(error.faults());
    return std::nullopt;
  }
}

// Where the index says that a tensor is, and where it was seen.
struct Expected {
  std::uint32_t shard;
  bool found = false;
  std::uint32_t elsewhere = kNoShard;
};
using ExpectedByName = std::unordered_map<std::string_view, Expected>;

void take_indexed(FileHeader header, std::uint32_t shard, ExpectedByName& expected, Catalog& catalog) {
  for (TensorInfo& tensor : header.tensors) {
    const auto found = expected.find(tensor.name);
    if (found == expected.end()) {
      catalog.unindexed.push_back(std::move(tensor.name));
    } else if (found->second.shard != shard) {
      found->second.elsewhere = shard;
    } else {
      found->second.found = true;
      tensor.file = shard;
      catalog.tensors.push_back(std::move(tensor));
    }
  }
}

Diagnostic missing_tensor(const std::string& tensor, const Expected& expected, const std::string& index_path,
                          const Catalog& catalog) {
  Diagnostic diagnostic = open_fault(Errc::tensor_missing_from_shard, catalog.files[expected.shard].path,
                                     "the file does not hold a tensor that the index says it holds");
  diagnostic.tensor = tensor;
  diagnostic.expected = "as " + std::string(name_of(index_path)) + " says";
  if (expected.elsewhere != kNoShard) {
    diagnostic.got = "the tensor is in " + catalog.files[expected.elsewhere].path;
    diagnostic.cause = "the index and the files belong to different versions of the checkpoint?";
  } else {
    diagnostic.got = "no tensor of that name";
    diagnostic.cause = "an incomplete download, or files of different versions of the checkpoint?";
  }
  return diagnostic;
}

}  // namespace

void read_indexed_files(const WeightIndex& index, const std::string& index_path, const HeaderLimits& limits,
                        Catalog& catalog, Diagnostics& faults) {
  ExpectedByName expected;
  expected.reserve(index.entries.size());
  for (const WeightIndex::Entry& entry : index.entries) expected[entry.tensor].shard = entry.shard;
  catalog.tensors.reserve(index.entries.size());

  const std::string folder = folder_of(index_path);
  std::vector<bool> readable;
  for (const std::string& shard : index.shards) {
    auto header = read_one(join(folder, shard), limits, catalog, faults);
    if (header) take_indexed(std::move(*header), static_cast<std::uint32_t>(readable.size()), expected, catalog);
    readable.push_back(header.has_value());
  }

  for (const WeightIndex::Entry& entry : index.entries) {
    const Expected& seen = expected[entry.tensor];
    // What a file that could not be read holds is unknown; that file has its own fault.
    if (!seen.found && readable[seen.shard]) faults.add(missing_tensor(entry.tensor, seen, index_path, catalog));
  }
  std::sort(catalog.unindexed.begin(), catalog.unindexed.end());
  catalog.unindexed.erase(std::unique(catalog.unindexed.begin(), catalog.unindexed.end()), catalog.unindexed.end());
}

void read_files(const std::vector<std::string>& paths, const HeaderLimits& limits, Catalog& catalog,
                Diagnostics& faults) {
  for (const std::string& path : paths) {
    auto header = read_one(path, limits, catalog, faults);
    if (!header) continue;
    for (TensorInfo& tensor : header->tensors) {
      tensor.file = static_cast<std::uint32_t>(catalog.files.size() - 1);
      catalog.tensors.push_back(std::move(tensor));
    }
  }
  // Within a file the format's reader has seen to it.
  if (paths.size() < 2) return;
  std::unordered_map<std::string_view, std::uint32_t> file_of;
  file_of.reserve(catalog.tensors.size());
  for (const TensorInfo& tensor : catalog.tensors) {
    const auto [first, is_new] = file_of.try_emplace(tensor.name, tensor.file);
    if (is_new) continue;
    Diagnostic diagnostic =
        open_fault(Errc::duplicate_tensor, catalog.files[tensor.file].path, "two files hold a tensor of the same name");
    diagnostic.tensor = tensor.name;
    diagnostic.expected = "one file that holds it, or an index that says which of them counts";
    diagnostic.got = "it is in " + catalog.files[first->second].path + " too";
    diagnostic.cause = "files of two checkpoints in one folder?";
    faults.add(std::move(diagnostic));
  }
}

}  // namespace ballast::catalog
