// Reads a GGUF header from its start, and never beyond what is there.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "ballast/error.hpp"
#include "formats/fault.hpp"
#include "formats/little_endian.hpp"

namespace ballast {

// Thrown where the header goes on beyond the bytes at hand, though not beyond the file.
struct NeedMoreBytes {
  std::uint64_t total;  // from the start of the file
};

class GgufCursor {
 public:
  GgufCursor(std::string_view bytes, std::uint64_t file_bytes, const std::string& path, Diagnostics& faults)
      : bytes_(bytes), file_bytes_(file_bytes), path_(path), faults_(faults) {}

  [[nodiscard]] std::uint64_t position() const noexcept { return at_; }
  [[nodiscard]] std::uint64_t left_in_file() const noexcept { return file_bytes_ - at_; }
  [[nodiscard]] std::uint64_t left_at_hand() const noexcept { return bytes_.size() - at_; }

  // `what` names what is being read, for the case that it is not there.
  template <typename T>
  [[nodiscard]] T number(std::string_view what) {
    return little_endian<T>(reinterpret_cast<const unsigned char*>(take(sizeof(T), what).data()));
  }
  [[nodiscard]] float f32(std::string_view what) { return std::bit_cast<float>(number<std::uint32_t>(what)); }
  [[nodiscard]] double f64(std::string_view what) { return std::bit_cast<double>(number<std::uint64_t>(what)); }
  [[nodiscard]] std::string_view string(std::string_view what) { return take(number<std::uint64_t>(what), what); }

  // Refuses a count of things that take at least `each` bytes where the rest of the file could not hold them.
  void check_count(std::uint64_t count, std::uint64_t each, std::string_view what) {
    if (count <= left_in_file() / each) return;
    Diagnostic fault =
        here(Errc::limit_exceeded, fmt::format("the header counts more {} than the file can hold", what));
    fault.expected = fmt::format("at most {}, in the {} bytes left", left_in_file() / each, left_in_file());
    fault.got = fmt::format("{}", count);
    fault.cause = "a damaged header, or an incomplete download?";
    fail(std::move(fault));
  }

  [[nodiscard]] Diagnostic here(Errc code, std::string what) const {
    Diagnostic fault = header_fault(code, std::move(what), path_);
    fault.offset = at_;
    return fault;
  }

  // For faults after which nothing that follows can be trusted: reports them with those found before.
  [[noreturn]] void fail(Diagnostic fault) {
    faults_.add(std::move(fault));
    throw Error(faults_);
  }

 private:
  std::string_view take(std::uint64_t count, std::string_view what) {
    if (count > left_in_file()) {
      Diagnostic fault = here(Errc::header_truncated, fmt::format("the file ends inside its header, in {}", what));
      fault.expected = fmt::format("{} bytes more", count);
      fault.got = fmt::format("{} bytes more, in a file of {}", left_in_file(), file_bytes_);
      fault.cause = "an incomplete download, or a damaged header?";
      fail(std::move(fault));
    }
    if (count > left_at_hand()) throw NeedMoreBytes{at_ + count};
    const std::string_view taken = bytes_.substr(static_cast<std::size_t>(at_), static_cast<std::size_t>(count));
    at_ += count;
    return taken;
  }

  std::string_view bytes_;  // no longer than the file
  std::uint64_t file_bytes_;
  const std::string& path_;
  Diagnostics& faults_;
  std::uint64_t at_ = 0;
};

}  // namespace ballast
