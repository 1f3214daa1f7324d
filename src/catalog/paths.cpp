#include "catalog/paths.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "ballast/error.hpp"

namespace ballast::catalog {
namespace fs = std::filesystem;

std::string join(std::string_view folder, std::string_view name) {
  std::string path(folder);
  if (!path.empty() && path.back() != '/') path += '/';
  return path.append(name);
}

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return std::string(path.substr(0, std::max<std::size_t>(slash, 1)));
}

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

PathStatus status_of(const std::string& path) {
  PathStatus result;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) {
    result.kind = PathKind::folder;
  } else if (fs::exists(status)) {
    result.kind = PathKind::other;
  } else if (status.type() == fs::file_type::not_found) {
    std::error_code ignored;
    if (fs::is_symlink(fs::symlink_status(path, ignored))) {
      result.kind = PathKind::dangling_link;
      result.link_target = fs::read_symlink(path, ignored).string();
    }
  } else {
    result.kind = PathKind::unreachable;
    result.reason = error.message();
  }
  return result;
}

std::vector<std::string> list_folder(const std::string& path) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    std::string name = entry->path().filename().string();
    if (entry->is_directory(ignored)) name += '/';
    names.push_back(std::move(name));
  }
  if (error) {
    Diagnostic diagnostic;
    diagnostic.code = Errc::io_open;
    diagnostic.operation = "open checkpoint";
    diagnostic.file = path;
    diagnostic.what = "the folder cannot be listed";
    diagnostic.got = error.message();
    throw Error(std::move(diagnostic));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace ballast::catalog
