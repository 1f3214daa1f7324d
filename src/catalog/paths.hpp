// What lies where, told without opening it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::catalog {

[[nodiscard]] std::string join(std::string_view folder, std::string_view name);
[[nodiscard]] std::string folder_of(std::string_view path);     // lexically; "." where the path has no folder
[[nodiscard]] std::string_view name_of(std::string_view path);  // what follows the last slash

enum class PathKind : std::uint8_t { absent, dangling_link, unreachable, folder, other };

struct PathStatus {
  PathKind kind = PathKind::absent;
  std::string reason;       // why it cannot be reached, in the system's words
  std::string link_target;  // of a dangling link
};

// Symbolic links are followed.
[[nodiscard]] PathStatus status_of(const std::string& path);

// The names in a folder, sorted, those of folders with a slash behind. Throws Error(io_open) where it cannot be listed.
[[nodiscard]] std::vector<std::string> list_folder(const std::string& path);

}  // namespace ballast::catalog
