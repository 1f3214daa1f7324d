// Reads that are neighbours in the file, made with as few system calls as their places in memory allow.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <vector>

#include "ballast/formats.hpp"
#include "execute/control.hpp"

namespace ballast::execution {

enum class Route : std::uint8_t { direct, staged };

class ReadBatch {
 public:
  ReadBatch(Control& control, ExecuteStats& stats) : control_(control), stats_(stats) {}

  // From here on reads are from this file, which outlives them.
  void start(const InputFile& file) noexcept { file_ = &file; }
  // The bytes are in memory only after `flush`. Throws as that does.
  void add(std::uint64_t offset, std::byte* to, std::uint64_t bytes, Route route);
  // Throws Error(io_read | io_changed | cancelled), or Stopped, or what the progress function throws.
  void flush();

 private:
  void read();
  [[nodiscard]] long read_some(const ::iovec* parts, int count, std::uint64_t offset) const;
  [[noreturn]] void fail(Errc code, std::uint64_t offset, int error) const;

  Control& control_;
  ExecuteStats& stats_;
  const InputFile* file_ = nullptr;
  std::vector<::iovec> parts_;
  std::uint64_t begin_ = 0, end_ = 0;  // bytes of the file
};

}  // namespace ballast::execution
