// The catalog's files, open only as long as something is read from them.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

#include "ballast/catalog.hpp"
#include "ballast/formats.hpp"

namespace ballast::execution {

// Throws Error(io_open | not_a_regular_file), and Error(io_changed) where the size is not what the catalog saw.
[[nodiscard]] InputFile open_unchanged(const Catalog& catalog, std::uint32_t file);

// One file for several threads: opened by the first that needs it, closed when the last lets go of it.
class SourceFile {
 public:
  SourceFile(const Catalog& catalog, std::uint32_t file) : catalog_(catalog), index_(file) {}

  [[nodiscard]] std::uint32_t index() const noexcept { return index_; }
  [[nodiscard]] const InputFile& opened();

 private:
  const Catalog& catalog_;
  const std::uint32_t index_;
  std::mutex mutex_;
  std::optional<InputFile> file_;
};

}  // namespace ballast::execution
