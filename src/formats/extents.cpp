#include "formats/extents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "formats/fault.hpp"

namespace ballast {
namespace {

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? kMax : sum;
}

std::uint64_t end_of(const TensorInfo& tensor) noexcept { return saturating_add(tensor.offset, tensor.nbytes); }

std::string extent_text(const TensorInfo& tensor) {
  return fmt::format("bytes [{}, {}) of the data", tensor.offset, end_of(tensor));
}

Diagnostic overlap(const TensorInfo& tensor, const TensorInfo& before, const std::string& path) {
  Diagnostic fault = tensor_fault(Errc::extent_overlap, "the tensor overlaps the one before it", path, tensor.name);
  fault.expected =
      fmt::format("to begin at byte {} of the data, where \"{}\" ends", end_of(before), printable(before.name));
  fault.got = extent_text(tensor);
  return fault;
}

Diagnostic hole(const TensorInfo& tensor, std::uint64_t begin, const std::string& path) {
  Diagnostic fault = tensor_fault(Errc::extent_hole,
                                  fmt::format("{} bytes before the tensor belong to no tensor", tensor.offset - begin),
                                  path, tensor.name);
  fault.expected = fmt::format("to begin at byte {} of the data", begin);
  fault.got = extent_text(tensor);
  fault.cause = "an entry removed from the header without its data?";
  return fault;
}

// One fault for the file, not one for each of the hundreds of tensors that a broken download cuts off.
Diagnostic out_of_file(std::span<const TensorInfo> tensors, const DataSection& data, std::uint64_t required,
                       const std::string& path) {
  const std::uint64_t present = data.file_bytes - std::min(data.begin, data.file_bytes);
  const auto beyond = [present](const TensorInfo& tensor) { return end_of(tensor) > present; };
  const auto count = std::count_if(tensors.begin(), tensors.end(), beyond);
  const auto first = std::find_if(tensors.begin(), tensors.end(), beyond);
  Diagnostic fault = header_fault(Errc::extent_out_of_file, "the file ends before its tensors do", path);
  if (first != tensors.end()) {
    fault.what = fmt::format("the file ends before {} of its {} tensors do, the first of them", count, tensors.size());
    fault.tensor = first->name;
  }
  fault.expected =
      required == kMax ? "a file that holds every tensor" : fmt::format("a file of at least {} bytes", required);
  fault.got = fmt::format("{} bytes", data.file_bytes);
  fault.cause = required == kMax
                    ? "a tensor whose extent goes beyond 64 bits: the header is damaged"
                    : fmt::format("{} bytes are missing: an incomplete download?", required - data.file_bytes);
  return fault;
}

Diagnostic trailing(const DataSection& data, std::uint64_t end, const std::string& path) {
  Diagnostic fault =
      header_fault(Errc::trailing_bytes, fmt::format("{} bytes follow the last tensor", data.file_bytes - end), path);
  fault.offset = end;
  fault.expected = fmt::format("a file of {} bytes", end);
  fault.got = fmt::format("{} bytes", data.file_bytes);
  fault.cause = "written over a longer file, or two files joined into one?";
  return fault;
}

}  // namespace

std::optional<std::uint64_t> align_up(std::uint64_t value, std::uint64_t alignment) noexcept {
  const std::uint64_t past = value % alignment;
  if (past == 0) return value;
  std::uint64_t aligned = 0;
  if (__builtin_add_overflow(value, alignment - past, &aligned)) return std::nullopt;
  return aligned;
}

void sort_by_extent(std::vector<TensorInfo>& tensors) {
  const auto before = [](const TensorInfo& a, const TensorInfo& b) {
    return std::tie(a.offset, a.nbytes, a.name) < std::tie(b.offset, b.nbytes, b.name);
  };
  // Most writers lay the data out in the order of the header.
  if (!std::is_sorted(tensors.begin(), tensors.end(), before)) std::sort(tensors.begin(), tensors.end(), before);
}

void check_extents(std::span<const TensorInfo> tensors, const DataSection& data, const std::string& path,
                   Diagnostics& faults) {
  std::uint64_t end = 0;  // of everything so far
  const TensorInfo* last = nullptr;
  for (const TensorInfo& tensor : tensors) {
    const std::uint64_t next = align_up(end, data.alignment).value_or(kMax);
    if (tensor.offset < end)
      faults.add(overlap(tensor, *last, path));
    else if (tensor.offset > next)
      faults.add(hole(tensor, next, path));
    if (last == nullptr || end_of(tensor) >= end) {
      end = end_of(tensor);
      last = &tensor;
    }
  }

  const std::uint64_t required = saturating_add(data.begin, end);
  const std::uint64_t padded = saturating_add(data.begin, align_up(end, data.alignment).value_or(kMax));
  if (required > data.file_bytes && !tensors.empty())
    faults.add(out_of_file(tensors, data, required, path));
  else if (data.file_bytes > padded)
    faults.add(trailing(data, padded, path));
}

}  // namespace ballast
