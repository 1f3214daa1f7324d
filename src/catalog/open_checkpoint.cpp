#include <algorithm>
#include <utility>

#include "ballast/catalog.hpp"
#include "catalog/json_text.hpp"
#include "catalog/locate.hpp"
#include "catalog/paths.hpp"
#include "catalog/quantisation.hpp"
#include "catalog/read_files.hpp"
#include "catalog/weight_index.hpp"

namespace ballast {
namespace {

using namespace catalog;

void read_tensors(const Location& location, const HeaderLimits& limits, Catalog& catalog, Diagnostics& faults) {
  if (location.index.empty()) return read_files(location.files, limits, catalog, faults);
  try {
    const std::string json = read_json_text(location.index, kIndexJson);
    const WeightIndex index = parse_weight_index(json, location.index, faults);
    read_indexed_files(index, location.index, limits, catalog, faults);
  } catch (const Error& error) {
    faults.append(error.faults());
  }
}

// The path of the config.json that counts; empty where there is none and none was asked for.
std::string find_config(const Location& location, const std::string& config_path) {
  std::string path = config_path.empty() ? join(location.folder, "config.json") : config_path;
  PathStatus status = status_of(path);
  if (!config_path.empty() && status.kind == PathKind::folder) {
    path = join(path, "config.json");
    status = status_of(path);
  }
  if (status.kind != PathKind::absent) return path;
  if (config_path.empty()) return {};
  Diagnostic diagnostic;
  diagnostic.code = Errc::config_missing;
  diagnostic.operation = kConfigJson.operation;
  diagnostic.file = path;
  diagnostic.what = "there is no such config.json";
  throw Error(std::move(diagnostic));
}

void read_config(const Location& location, const std::string& config_path, Catalog& catalog, Diagnostics& faults) {
  try {
    if (const std::string path = find_config(location, config_path); !path.empty()) {
      catalog.config = parse_model_config(read_json_text(path, kConfigJson), path);
      read_quantisation_beside(location.folder, *catalog.config, faults);
    } else if (!catalog.files.empty() && catalog.files.front().format == FileFormat::gguf) {
      // Of a split file the first part has the metadata of the model.
      catalog.config = model_config_from_gguf(catalog.files.front().metadata, catalog.files.front().path);
    }
  } catch (const Error& error) {
    faults.append(error.faults());
  }
}

}  // namespace

Catalog open_checkpoint(const std::string& path, const OpenOptions& options) {
  const Location location = locate(path);  // from here on there is something to open
  Catalog result;
  result.path = path;
  Diagnostics faults;
  read_tensors(location, options.limits, result, faults);
  read_config(location, options.config_path, result, faults);
  faults.throw_if_any();  // from here on every name is unique and every extent lies within its file
  return result;
}

std::uint64_t Catalog::tensor_bytes() const noexcept {
  std::uint64_t total = 0;
  for (const TensorInfo& tensor : tensors)
    // Files are sparse and may be hard links of one another: the sum of valid sizes need not fit.
    if (__builtin_add_overflow(total, tensor.nbytes, &total)) return ~std::uint64_t{0};
  return total;
}

const TensorInfo* Catalog::find(std::string_view tensor_name) const noexcept {
  const auto same = [tensor_name](const TensorInfo& tensor) { return tensor.name == tensor_name; };
  const auto found = std::find_if(tensors.begin(), tensors.end(), same);
  return found == tensors.end() ? nullptr : &*found;
}

}  // namespace ballast
