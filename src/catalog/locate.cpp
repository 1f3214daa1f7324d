#include "catalog/locate.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "ballast/error.hpp"
#include "catalog/describe.hpp"
#include "catalog/folder_candidates.hpp"
#include "catalog/paths.hpp"

namespace ballast::catalog {
namespace {

constexpr std::string_view kLookedFor =
    "model.safetensors, model.safetensors.index.json with its shards, or one *.safetensors or *.gguf file";

bool any_name(const std::vector<std::string>& names, bool (*holds)(std::string_view)) {
  return std::any_of(names.begin(), names.end(), holds);
}

bool is_pickle(std::string_view name) {
  return name.starts_with("pytorch_model") || name.ends_with(".bin") || name.ends_with(".pt") ||
         name.ends_with(".pth") || name.ends_with(".ckpt");
}

bool is_partial(std::string_view name) {
  return name.ends_with(".incomplete") || name.ends_with(".part") || name.ends_with(".crdownload") ||
         name.ends_with(".aria2");
}

// What a folder without weights most likely is. More than one may hold; the most telling comes first.
std::string likely_cause(const std::vector<std::string>& names) {
  if (names.empty()) return "an empty folder: was anything downloaded into it?";
  if (any_name(names, is_partial)) return "an incomplete download: its partial files are still there";
  if (any_name(names, [](std::string_view name) { return is_adapter(name); }))
    return "this is an adapter (LoRA), which holds changes to a model: load the model it was trained on, or merge the "
           "two with peft's merge_and_unload() and save_pretrained()";
  if (any_name(names, is_pickle))
    return "PyTorch's pickle files (.bin, .pt, .pth) are not supported yet; convert them with transformers: "
           "AutoModelForCausalLM.from_pretrained(folder).save_pretrained(new_folder, safe_serialization=True)";
  if (std::binary_search(names.begin(), names.end(), "snapshots/"))
    return "the root of a model in the hub cache: name the folder of a revision, snapshots/<revision>";
  return "not the folder of a checkpoint, or an incomplete download?";
}

Location locate_in_folder(const std::string& folder) {
  const std::vector<std::string> names = list_folder(folder);
  std::vector<Candidate> candidates = find_candidates(names);
  if (candidates.empty()) {
    Diagnostic diagnostic = open_fault(Errc::no_weights, folder, "the folder holds no weights that can be read");
    diagnostic.expected = kLookedFor;
    diagnostic.got = list_names(names);
    diagnostic.cause = likely_cause(names);
    throw Error(std::move(diagnostic));
  }
  // The names that transformers looks for win over whatever else lies there.
  const auto is_standard = [](const Candidate& candidate) {
    return candidate.label == "model.safetensors" || candidate.label == "model.safetensors.index.json";
  };
  auto chosen = std::find_if(candidates.begin(), candidates.end(), is_standard);
  if (chosen == candidates.end()) chosen = candidates.begin();
  if (candidates.size() > 1 && !is_standard(*chosen)) {
    std::vector<std::string> labels;
    for (const Candidate& candidate : candidates) labels.push_back(candidate.label);
    Diagnostic diagnostic = open_fault(Errc::invalid_argument, folder, "the folder holds several checkpoints");
    diagnostic.expected = kLookedFor;
    diagnostic.got = list_names(labels);
    diagnostic.cause = "name the one that is meant instead of the folder";
    throw Error(std::move(diagnostic));
  }
  Location location{folder, "", {}};
  if (!chosen->index.empty()) location.index = join(folder, chosen->index);
  for (const std::string& file : chosen->files) location.files.push_back(join(folder, file));
  return location;
}

// "organisation/model", as the hub names models.
bool looks_like_hub_name(std::string_view path) {
  return std::count(path.begin(), path.end(), '/') == 1 && path.front() != '/' && path.front() != '.' &&
         path.back() != '/' && !path.ends_with(".safetensors") && !path.ends_with(".gguf");
}

[[noreturn]] void refuse_absent(const std::string& path, const PathStatus& status) {
  Diagnostic diagnostic = open_fault(Errc::io_open, path, "there is no such file or folder");
  if (status.kind == PathKind::unreachable) {
    diagnostic.what = "the path cannot be reached";
    diagnostic.got = status.reason;
  } else if (status.kind == PathKind::dangling_link) {
    diagnostic.what = "the symbolic link leads nowhere";
    diagnostic.got = "a link to " + quoted(status.link_target) + ", which does not exist";
    diagnostic.cause = "an incomplete download, or a cache that was moved or cleaned?";
  } else if (looks_like_hub_name(path)) {
    diagnostic.cause = "the name of a model on a hub? Nothing is downloaded: download it first, then name its folder";
  }
  throw Error(std::move(diagnostic));
}

}  // namespace

Location locate(const std::string& path) {
  if (path.empty()) throw Error(open_fault(Errc::invalid_argument, path, "the path of the checkpoint is empty"));
  if (path.find('\0') != std::string::npos)
    throw Error(open_fault(Errc::invalid_argument, path, "the path of the checkpoint contains a NUL byte"));
  const PathStatus status = status_of(path);
  if (status.kind == PathKind::folder) return locate_in_folder(path);
  if (status.kind != PathKind::other) refuse_absent(path, status);
  if (path.ends_with(".json")) return {folder_of(path), path, {}};
  return {folder_of(path), "", {path}};
}

}  // namespace ballast::catalog
