// Headers of weight files. Reads no weights; validates everything that a header says against the file's size.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ballast/error.hpp"
#include "ballast/tensor_info.hpp"
#include "ballast/value.hpp"

namespace ballast {

enum class FileFormat : std::uint8_t { safetensors, gguf };
[[nodiscard]] std::string_view name(FileFormat format) noexcept;  // "safetensors", "gguf"

// Bounds on what a header may ask for. Exceeding one is an error (header_too_large, limit_exceeded).
struct HeaderLimits {
  std::uint64_t max_safetensors_header_bytes = 100'000'000;  // the bound of the reference implementation
  std::uint64_t max_gguf_header_bytes = 1'000'000'000;
  // What a GGUF header makes of one of its bytes in memory can be a hundred: these bound the memory, generously.
  std::uint64_t max_gguf_tensors = 4'194'304;
  std::uint64_t max_gguf_metadata_values = 16'777'216;  // keys and array elements together
};

// Everything one file's header says. `tensors` is in file order (by offset, then by size, so that empty
// ones come first, then by name), their `file` field 0.
struct FileHeader {
  FileFormat format = FileFormat::safetensors;
  std::vector<TensorInfo> tensors;
  Value metadata;                  // an object: `__metadata__` of safetensors, the key-values of GGUF; null when absent
  std::uint64_t header_bytes = 0;  // bytes from the start of the file to the first byte of tensor data
  std::uint64_t file_bytes = 0;
  std::uint32_t version = 0;    // of GGUF: 2 or 3
  std::uint64_t alignment = 1;  // of GGUF
};

// By which a file is known again: replacing it or writing to it changes this. All zero: not known.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t modified_seconds = 0;
  std::int64_t modified_nanoseconds = 0;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

// An open weight file, for reading only. Refuses anything but a regular file without blocking on it (a FIFO, say).
// Movable, not copyable; closes on destruction. `read_at` may be called from several threads.
class InputFile {
 public:
  // Throws Error(io_open | not_a_regular_file).
  explicit InputFile(std::string path);
  ~InputFile();
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }                // when it was opened
  [[nodiscard]] const FileIdentity& identity() const noexcept { return identity_; }  // when it was opened
  [[nodiscard]] int descriptor() const noexcept { return fd_; }
  // Fills `bytes` from `offset`, through EINTR and short reads. Throws Error(io_read | io_changed) naming file and
  // offset where the file ends first or the device fails.
  void read_at(std::uint64_t offset, void* bytes, std::uint64_t count) const;

 private:
  std::string path_;
  int fd_ = -1;
  std::uint64_t size_ = 0;
  FileIdentity identity_;
};

// The format is told from the file's first bytes, not from its name. Throws Error(not_a_checkpoint) with a sentence
// of its own for an empty file, a Git LFS pointer, an HTML page, and other things that people save as models, and
// Error(header_truncated) for a file of under 8 bytes, which is too short to tell.
[[nodiscard]] FileFormat detect_format(const InputFile& file);
[[nodiscard]] FileHeader read_header(const InputFile& file, const HeaderLimits& limits = {});

// The parsers themselves, on bytes in memory. `header_json` is the JSON of a safetensors file, without the 8 bytes of
// its length; `path` only names the file in errors.
[[nodiscard]] FileHeader parse_safetensors_header(std::string_view header_json, std::uint64_t file_bytes,
                                                  const std::string& path);
// `bytes` is the start of a GGUF file, at least its whole header. Throws Error(header_truncated) where it is not.
[[nodiscard]] FileHeader parse_gguf_header(std::string_view bytes, std::uint64_t file_bytes, const std::string& path,
                                           const HeaderLimits& limits = {});

}  // namespace ballast
