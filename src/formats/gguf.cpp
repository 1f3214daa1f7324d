// The header of a GGUF file: magic, version, the counts, the metadata, one entry a tensor, and padding to where the
// data begins. Offsets count from there; each tensor begins at a multiple of the alignment.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "ballast/formats.hpp"
#include "base/utf8.hpp"
#include "formats/duplicates.hpp"
#include "formats/extents.hpp"
#include "formats/gguf_cursor.hpp"
#include "formats/gguf_metadata.hpp"
#include "formats/gguf_types.hpp"
#include "formats/read_header.hpp"

namespace ballast {
namespace {

constexpr std::uint64_t kDefaultAlignment = 32;
constexpr std::string_view kAlignmentKey = "general.alignment";
constexpr std::uint64_t kSmallestTensorBytes = 8 + 4 + 4 + 8;

class GgufReader {
 public:
  GgufReader(std::string_view bytes, std::uint64_t file_bytes, const std::string& path, const HeaderLimits& limits)
      : path_(path), limits_(limits), cursor_(bytes, file_bytes, path, faults_) {
    header_.format = FileFormat::gguf;
    header_.file_bytes = file_bytes;
  }

  FileHeader read() {
    read_magic();
    read_version();
    const auto tensor_count = cursor_.number<std::uint64_t>("the number of tensors");
    const auto key_count = cursor_.number<std::uint64_t>("the number of metadata keys");
    check_tensor_count(tensor_count);
    header_.metadata = Value(read_gguf_metadata(cursor_, key_count, limits_.max_gguf_metadata_values, path_, faults_));
    read_alignment();
    read_tensors(tensor_count);
    place();
    faults_.throw_if_any();
    for (TensorInfo& tensor : header_.tensors) tensor.offset += header_.header_bytes;
    return std::move(header_);
  }

 private:
  void read_magic() {
    if (cursor_.number<std::uint32_t>("the magic number") == 0x46554747) return;  // "GGUF"
    Diagnostic fault = header_fault(Errc::not_a_checkpoint, "this is not a GGUF file", path_);
    fault.expected = "the bytes \"GGUF\" at its start";
    cursor_.fail(std::move(fault));
  }

  void read_version() {
    header_.version = cursor_.number<std::uint32_t>("the version");
    if (header_.version == 2 || header_.version == 3) return;
    Diagnostic fault = header_fault(Errc::unsupported_version,
                                    fmt::format("GGUF version {} is not supported", header_.version), path_);
    fault.expected = "version 2 or 3";
    fault.got = fmt::format("version {}", header_.version);
    if (header_.version == 1) {
      fault.what = "GGUF version 1 is not supported";
      fault.cause = "a file of the format's first weeks, of 2023: convert the model again, or fetch a newer file";
    } else if ((header_.version & 0xFFFF) == 0 && header_.version != 0) {
      fault.code = Errc::big_endian;
      fault.what = "this is a big-endian GGUF file, which is not supported";
      fault.expected = "a little-endian file";
      fault.got = fmt::format("a version whose bytes are swapped, {:#010x}", header_.version);
      fault.cause = "made for a big-endian machine: fetch or convert the little-endian file";
    }
    cursor_.fail(std::move(fault));
  }

  void check_tensor_count(std::uint64_t count) {
    cursor_.check_count(count, kSmallestTensorBytes, "tensors");
    if (count <= limits_.max_gguf_tensors) return;
    Diagnostic fault = cursor_.here(Errc::limit_exceeded, "the header counts more tensors than the limit");
    fault.expected = fmt::format("at most {}", limits_.max_gguf_tensors);
    fault.got = fmt::format("{}", count);
    fault.cause = "a damaged header; if it is sound, raise max_gguf_tensors";
    cursor_.fail(std::move(fault));
  }

  void read_alignment() {
    header_.alignment = kDefaultAlignment;
    const Value* value = header_.metadata.find(kAlignmentKey);
    if (value == nullptr) return;
    const auto* number = std::get_if<std::int64_t>(&value->storage());
    if (number != nullptr && *number > 0 && std::has_single_bit(static_cast<std::uint64_t>(*number))) {
      header_.alignment = static_cast<std::uint64_t>(*number);
      return;
    }
    Diagnostic fault = header_fault(Errc::header_invalid, "general.alignment is not a power of two", path_);
    fault.expected = "a power of two";
    fault.got = number != nullptr ? fmt::format("{}", *number) : "no such number";
    cursor_.fail(std::move(fault));  // without it no tensor has a place
  }

  void read_tensors(std::uint64_t count) {
    cursor_.check_count(count, kSmallestTensorBytes, "tensors");
    std::vector<std::string_view> names;
    for (std::uint64_t i = 0; i < count; ++i) {
      names.push_back(cursor_.string("a tensor's name"));
      read_tensor(names.back());
    }
    for (const std::size_t second : find_duplicates(names)) {
      Diagnostic fault = tensor_fault(Errc::duplicate_key, "the name is there twice", path_, names[second]);
      fault.expected = "each tensor once";
      faults_.add(std::move(fault));
    }
  }

  void read_tensor(std::string_view name) {
    if (find_invalid_utf8(name))
      faults_.add(tensor_fault(Errc::header_invalid_utf8, "the tensor's name is not valid UTF-8", path_, name));
    TensorInfo tensor;
    tensor.name = name;
    tensor.shape = read_shape(name);
    const auto id = cursor_.number<std::uint32_t>("a tensor's type");
    tensor.offset = cursor_.number<std::uint64_t>("a tensor's offset");
    if (tensor.offset % header_.alignment != 0) report_misaligned(tensor);
    if (const std::optional<DType> dtype = dtype_from_ggml(id)) {
      tensor.dtype = *dtype;
      if (const std::optional<std::uint64_t> bytes = checked_size(tensor)) {
        tensor.nbytes = *bytes;
        header_.tensors.push_back(std::move(tensor));
        return;
      }
    } else {
      report_unknown_dtype(name, id);
    }
    all_placed_ = false;
  }

  // GGUF states the innermost dimension first.
  Shape read_shape(std::string_view name) {
    const auto rank = cursor_.number<std::uint32_t>("a tensor's number of dimensions");
    if (rank > Shape::kMaxRank) {
      Diagnostic fault = tensor_fault(Errc::rank_too_large, "the tensor has too many dimensions", path_, name);
      fault.expected = fmt::format("at most {} dimensions", Shape::kMaxRank);
      fault.got = fmt::format("{} dimensions", rank);
      cursor_.fail(std::move(fault));
    }
    std::array<std::uint64_t, Shape::kMaxRank> extents{};
    for (std::size_t i = rank; i-- > 0;) extents[i] = cursor_.number<std::uint64_t>("a tensor's dimensions");
    Shape shape;
    for (std::size_t i = 0; i < rank; ++i) shape.push_back(extents[i]);
    return shape;
  }

  // Rows are stored one by one, so each must be whole blocks: the total being a multiple is not enough.
  std::optional<std::uint64_t> checked_size(const TensorInfo& tensor) {
    const DTypeInfo& dtype = info(tensor.dtype);
    const std::uint64_t row = tensor.shape.rank() == 0 ? 1 : tensor.shape[tensor.shape.rank() - 1];
    Diagnostic fault =
        tensor_fault(Errc::extent_mismatch, "the tensor's rows are not whole blocks", path_, tensor.name);
    if (row % dtype.block_elements == 0) {
      const std::optional<std::uint64_t> numel = tensor.shape.checked_numel();
      const std::optional<std::uint64_t> bytes = numel ? byte_size(tensor.dtype, *numel) : std::nullopt;
      if (bytes) return bytes;
      fault.code = Errc::shape_overflow;
      fault.what = "the tensor's size overflows 64 bits";
      fault.expected = "a size below 2^64 bytes";
    } else {
      fault.expected = fmt::format("rows of a multiple of {} elements, for {}", dtype.block_elements, dtype.name);
    }
    fault.got = fmt::format("shape {} of {}", to_string(tensor.shape), dtype.name);
    faults_.add(std::move(fault));
    return std::nullopt;
  }

  void report_misaligned(const TensorInfo& tensor) {
    Diagnostic fault = tensor_fault(Errc::extent_misaligned, "the tensor's offset is not aligned", path_, tensor.name);
    fault.expected = fmt::format("a multiple of {}", header_.alignment);
    fault.got = fmt::format("byte {} of the data", tensor.offset);
    faults_.add(std::move(fault));
  }

  void report_unknown_dtype(std::string_view name, std::uint32_t id) {
    Diagnostic fault = tensor_fault(Errc::unknown_dtype, "the tensor's type is not known", path_, name);
    fault.expected = "a type of ggml's list";
    fault.got = fmt::format("type {}", id);
    if (const std::string_view removed = removed_ggml_type(id); !removed.empty())
      fault.cause = fmt::format("{}, which ggml removed: convert the model again", removed);
    else
      fault.cause = "a newer type than this version of Ballast knows, or a damaged header?";
    faults_.add(std::move(fault));
  }

  void place() {
    const std::optional<std::uint64_t> begin = align_up(cursor_.position(), header_.alignment);
    if (!begin) {
      Diagnostic fault = header_fault(Errc::header_invalid, "general.alignment puts the data beyond 64 bits", path_);
      fault.got = fmt::format("{}", header_.alignment);
      cursor_.fail(std::move(fault));
    }
    sort_by_extent(header_.tensors);
    const DataSection data{*begin, header_.file_bytes, header_.alignment};
    if (all_placed_) check_extents(header_.tensors, data, path_, faults_);
    // A file of metadata alone may end without its padding.
    header_.header_bytes = std::min(*begin, header_.file_bytes);
  }

  const std::string& path_;
  const HeaderLimits& limits_;
  FileHeader header_;
  Diagnostics faults_;
  GgufCursor cursor_;
  bool all_placed_ = true;  // every tensor's size is known
};

[[noreturn]] void refuse_large(const HeaderLimits& limits, const std::string& path) {
  Diagnostic fault = header_fault(Errc::header_too_large, "the header is larger than the limit", path);
  fault.expected = fmt::format("at most {} bytes", limits.max_gguf_header_bytes);
  fault.cause = "a damaged header; if it is sound, raise max_gguf_header_bytes";
  throw Error(std::move(fault));
}

}  // namespace

FileHeader parse_gguf_header(std::string_view bytes, std::uint64_t file_bytes, const std::string& path,
                             const HeaderLimits& limits) {
  bytes = bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), file_bytes)));
  try {
    return GgufReader(bytes, file_bytes, path, limits).read();
  } catch (const NeedMoreBytes& need) {
    Diagnostic fault = header_fault(Errc::header_truncated, "the header goes on beyond the bytes given", path);
    fault.expected = fmt::format("at least {} bytes", need.total);
    fault.got = fmt::format("{} bytes", bytes.size());
    throw Error(std::move(fault));
  }
}

// A GGUF header does not say how long it is. The window doubles until the header fits, so that what is parsed again
// adds up to no more than what is read.
FileHeader read_gguf_header(const InputFile& file, const HeaderLimits& limits) {
  constexpr std::uint64_t kFirstWindow = 1 << 20;
  const std::uint64_t bound = std::min(file.size(), limits.max_gguf_header_bytes);
  std::string bytes;
  for (std::uint64_t window = std::min(kFirstWindow, bound);;) {
    const std::uint64_t have = bytes.size();
    bytes.resize(static_cast<std::size_t>(window));
    file.read_at(have, bytes.data() + have, window - have);
    try {
      return GgufReader(bytes, file.size(), file.path(), limits).read();
    } catch (const NeedMoreBytes& need) {
      if (need.total > bound) refuse_large(limits, file.path());
      window = std::min(std::max(window * 2, need.total), bound);
    }
  }
}

}  // namespace ballast
